#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "graph/relation_ranges.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/stats.h"

namespace greenkgc {

// What all evaluations on one graph share, each part made when it is first asked for. Keeps a reference; for
// one thread at a time.
class EvaluationGround {
 public:
  explicit EvaluationGround(const graph::Dataset& data) : data_(data) {}

  const graph::Dataset& data() const { return data_; }
  const graph::KnownFacts& known(const Context& context);  // of all splits
  const graph::RelationRanges& ranges();                   // of train
  // By relation; those that train does not have are 1-1.
  const std::vector<RelationCategory>& categories(const Context& context);

 private:
  const graph::Dataset& data_;
  std::optional<graph::KnownFacts> known_;
  std::optional<graph::RelationRanges> ranges_;
  std::vector<RelationCategory> categories_;
};

// As evaluate() of greenkgc/evaluate.h.
Evaluation evaluate(EvaluationGround& ground, const std::filesystem::path& model,
                    const EvaluateOptions& options, const Context& context);

}  // namespace greenkgc
