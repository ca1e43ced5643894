#pragma once

#include <array>
#include <vector>

#include "features/prune/samples.h"
#include "features/triple_variables.h"
#include "simd/vector/logistic.h"

namespace greenkgc::features {

// The variables of one dimension at a time, gathered for the samples of a set: O(samples + entities) memory,
// which is used again from call to call. One per thread.
class SampleColumns {
 public:
  explicit SampleColumns(const features::TripleVariables& variables) : variables_(variables) {}

  void take_dimension(std::size_t dim) { variables_.copy_dimension(dim, source_); }

  // Of the dimension taken last: head, relation, tail. Valid until the next call.
  simd::LabelledColumns gather(const SampleSet& samples);

 private:
  const features::TripleVariables& variables_;
  features::DimensionColumns source_;
  std::array<std::vector<float>, simd::kMostVariables> columns_;
};

}  // namespace greenkgc::features
