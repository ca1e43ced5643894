#pragma once

#include <cstdint>
#include <span>

#include "kernels/logistic_gradients.h"

namespace greenkgc::decide {

// Sums of GradientPairs, in the same units. Exact: up to 2^32 samples of any weight fit.
struct GradientSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;  // 0: no sample, since each has at least one unit

  GradientSums& operator+=(const GradientSums& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
  GradientSums& operator-=(const GradientSums& other) {
    gradient -= other.gradient;
    hessian -= other.hessian;
    return *this;
  }
  friend GradientSums operator-(GradientSums a, const GradientSums& b) { return a -= b; }
  friend bool operator==(const GradientSums&, const GradientSums&) = default;
};

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
  GradientSums left;
};

// The value of a leaf before shrinkage: -G / (H + lambda).
double leaf_value(const GradientSums& sums, const SplitRule& rule);

// Replaces `best` if some cut of this column's histogram gains more. Of equal gains, the first stays. Sums
// run in whole numbers, gains in double precision.
void find_split(std::span<const GradientSums> histogram, const GradientSums& node, const SplitRule& rule,
                std::uint32_t column, NodeSplit& best);

}  // namespace greenkgc::decide
