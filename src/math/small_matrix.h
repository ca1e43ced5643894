#pragma once

#include <optional>

#include "simd/vector/logistic.h"

namespace greenkgc::math {

using SmallVector = std::array<double, simd::kMostVariables>;

// A symmetric matrix of up to kMostVariables rows.
struct SmallMatrix {
  std::size_t size = 0;
  std::array<std::array<double, simd::kMostVariables>, simd::kMostVariables> at = {};
};

// x of A x = b by Cholesky's decomposition; nothing if A is not positive definite, as far as rounding lets us
// see.
std::optional<SmallVector> solve(const SmallMatrix& a, const SmallVector& b);

// A unit eigenvector of the largest eigenvalue, by Jacobi rotations.
SmallVector dominant_eigenvector(const SmallMatrix& a);

}  // namespace greenkgc::math
