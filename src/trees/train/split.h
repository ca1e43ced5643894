#pragma once

#include <cstdint>
#include <span>

#include "simd/trees/sum_rows.h"

namespace greenkgc::trees {

// When a node is worth splitting. As in XGBoost: the gain of a split is the fall of twice the second-order
// approximation of the loss, penalty included.
struct SplitRule {
  double lambda = 1;            // L2 penalty on leaf values
  double gamma = 0;             // the least gain
  double min_child_weight = 1;  // the least sum of hessians in a child
};

struct NodeSplit {
  double gain = 0;  // 0: there is none
  std::uint32_t column = 0;
  std::uint8_t bin = 0;  // the last one that goes left
  simd::GradientSums left;
};

// The value of a leaf before shrinkage: -G / (H + lambda).
double leaf_value(const simd::GradientSums& sums, const SplitRule& rule);

// Replaces `best` if some cut of this column's histogram gains more. Of equal gains, the first stays. Sums
// run in whole numbers, gains in double precision.
void find_split(std::span<const simd::GradientSums> histogram, const simd::GradientSums& node,
                const SplitRule& rule, std::uint32_t column, NodeSplit& best);

}  // namespace greenkgc::trees
