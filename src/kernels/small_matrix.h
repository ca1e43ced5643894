#pragma once

#include <optional>

#include "kernels/logistic.h"

namespace greenkgc {

using SmallVector = std::array<double, kMostVariables>;

// A symmetric matrix of up to kMostVariables rows.
struct SmallMatrix {
  std::size_t size = 0;
  std::array<std::array<double, kMostVariables>, kMostVariables> at = {};
};

// x of A x = b by Cholesky's decomposition; nothing if A is not positive definite, as far as rounding lets us
// see.
std::optional<SmallVector> solve(const SmallMatrix& a, const SmallVector& b);

// A unit eigenvector of the largest eigenvalue, by Jacobi rotations.
SmallVector dominant_eigenvector(const SmallMatrix& a);

}  // namespace greenkgc
