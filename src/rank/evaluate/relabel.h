#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"
#include "model/model_file.h"

namespace greenkgc::rank {

// Whether the data have the model's labels in the model's order, so that their ids are the model's.
bool has_labels_of(const model::NamedDecisions& model, const graph::Dataset& data);

// Data of any labels in the ids of a model, for ranking some of their facts.
struct Relabeled {
  // The model's labels. `test` has the facts to rank; `train` has all others that are known: those of the
  // model and the other splits of the data, each once.
  graph::Dataset data;
  std::vector<RelationId> given_relations;  // by the model's id: the id in the given data, or kNoRelation
  std::uint64_t skipped = 0;                // facts to rank that have a label that the model does not know
  std::uint64_t held = 0;                   // facts to rank that the model holds
};

struct RelabelOptions {
  Split split = Split::kTest;  // the facts to rank; all of a single file
  bool skip_unknown = false;
};

// Facts of other splits with labels that the model does not know are no answers of the model and left out.
// Throws kBadInput with their number, and the place of the first, where facts to rank have such labels and
// are not to be skipped, or if none is left.
Relabeled in_labels_of(const model::NamedDecisions& model, const graph::Dataset& data,
                       const RelabelOptions& options);

}  // namespace greenkgc::rank
