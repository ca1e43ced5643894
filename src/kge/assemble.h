#pragma once

#include <string>

#include "kge/embedding_file.h"
#include "tensors/table_file.h"

namespace greenkgc::kge {

// What the numbers of two tables mean.
struct TableMeaning {
  const KgeModel* kge = nullptr;
  Similarity similarity = Similarity::kDot;
  bool reciprocal = false;
  std::uint64_t range_dims = 0;  // how many of the last dimensions are such
  // Of RotatE's relations:
  bool cos_sin = false;       // cosines, then sines, instead of phases
  double relation_scale = 1;  // what a stored phase is multiplied by
};

// How a row that asks backwards is called where every row needs a name: the relation's label and this.
inline constexpr std::string_view kReverseEnding = "_reverse";

// "auto" is the model's usual one. Throws kUsage with those that go with the model.
Similarity parse_similarity(const KgeModel& kge, std::string_view name);

// Embeddings from a table of entities and one of relations, both with labels; with reciprocal relations there
// are two rows for each label of a relation. Throws kBadInput, naming file, row and column, if numbers of
// rows and labels differ, widths do not fit the model and each other, a number is not finite, or a cosine and
// a sine do not belong together.
NamedEmbeddings assemble(tensors::TableFile entities, tensors::TableFile relations,
                         const TableMeaning& meaning);

// Takes names of 2R rows apart: the R first ones, if the others are theirs with kReverseEnding. Throws
// kBadInput.
graph::Vocabulary forward_labels(const graph::Vocabulary& rows, const std::string& file);

}  // namespace greenkgc::kge
