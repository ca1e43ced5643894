#pragma once

#include <array>
#include <vector>

#include "kernels/logistic.h"
#include "model/triple_variables.h"
#include "prune/samples.h"

namespace greenkgc::prune {

// The variables of one dimension at a time, gathered for the samples of a set: O(samples + entities) memory,
// which is used again from call to call. One per thread.
class SampleColumns {
 public:
  explicit SampleColumns(const model::TripleVariables& variables) : variables_(variables) {}

  void take_dimension(std::size_t dim) { variables_.copy_dimension(dim, source_); }

  // Of the dimension taken last: head, relation, tail. Valid until the next call.
  LabelledColumns gather(const SampleSet& samples);

 private:
  const model::TripleVariables& variables_;
  model::DimensionColumns source_;
  std::array<std::vector<float>, kMostVariables> columns_;
};

}  // namespace greenkgc::prune
