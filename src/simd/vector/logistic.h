#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace greenkgc::simd {

// The most variables that a logistic regression here may have: n_v of the paper's models is 3 to 6.
inline constexpr std::size_t kMostVariables = 6;

// Samples as columns of floats, one per variable: first the positives, then the negatives.
struct LabelledColumns {
  std::array<const float*, kMostVariables> columns;
  std::size_t variables;  // 1 to kMostVariables
  std::size_t positives;
  std::size_t negatives;
};

// Of a logistic regression without intercept, sums over all samples: the log-loss in nats, its gradient by
// the weights, and its Hessian (lower triangle row by row: (0,0), (1,0), (1,1), ...).
struct LogisticSums {
  double loss = 0;
  std::array<double, kMostVariables> gradient = {};
  std::array<double, kMostVariables*(kMostVariables + 1) / 2> hessian = {};
};

// By SIMD, in double precision. The order of the sums depends on the instruction set and nothing else.
LogisticSums logistic_sums(const LabelledColumns& samples, std::span<const double> weights);

// projections[i] = sum_v weights[v] * columns[v][i]. Samples of equal variables have equal projections, bit
// by bit, wherever they stand: a constant dimension must stay one.
void project(const LabelledColumns& samples, std::span<const double> weights, std::span<double> projections);

}  // namespace greenkgc::simd
