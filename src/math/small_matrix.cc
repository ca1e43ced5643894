#include "math/small_matrix.h"

#include <cmath>

namespace greenkgc::math {

std::optional<SmallVector> solve(const SmallMatrix& a, const SmallVector& b) {
  const std::size_t n = a.size;
  auto l = a.at;
  SmallVector x = b;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) l[i][j] -= l[i][k] * l[j][k];
      if (i != j) {
        l[i][j] /= l[j][j];
      } else if (l[i][i] > 0 && std::isfinite(l[i][i])) {
        l[i][i] = std::sqrt(l[i][i]);
      } else {
        return std::nullopt;
      }
    }
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}

namespace {

// Turns rows and columns p and q so that a[p][q] becomes 0.
void rotate(SmallMatrix& a, SmallMatrix& vectors, std::size_t p, std::size_t q) {
  if (a.at[p][q] == 0) return;
  const double theta = (a.at[q][q] - a.at[p][p]) / (2 * a.at[p][q]);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1 / std::hypot(t, 1.0);
  const double s = t * c;
  for (std::size_t k = 0; k < a.size; ++k) {
    const double kp = a.at[k][p];
    const double kq = a.at[k][q];
    a.at[k][p] = c * kp - s * kq;
    a.at[k][q] = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < a.size; ++k) {
    const double pk = a.at[p][k];
    const double qk = a.at[q][k];
    a.at[p][k] = c * pk - s * qk;
    a.at[q][k] = s * pk + c * qk;
    const double kp = vectors.at[k][p];
    const double kq = vectors.at[k][q];
    vectors.at[k][p] = c * kp - s * kq;
    vectors.at[k][q] = s * kp + c * kq;
  }
}

}  // namespace

SmallVector dominant_eigenvector(const SmallMatrix& a) {
  constexpr int kSweeps = 30;  // convergence is quadratic: ten are more than enough
  SmallMatrix diagonal = a;
  SmallMatrix vectors{a.size, {}};
  for (std::size_t i = 0; i < a.size; ++i) vectors.at[i][i] = 1;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t p = 0; p < a.size; ++p) {
      for (std::size_t q = p + 1; q < a.size; ++q) rotate(diagonal, vectors, p, q);
    }
  }
  std::size_t largest = 0;
  for (std::size_t i = 1; i < a.size; ++i) {
    if (diagonal.at[i][i] > diagonal.at[largest][largest]) largest = i;
  }
  SmallVector vector = {};
  for (std::size_t i = 0; i < a.size; ++i) vector[i] = vectors.at[i][largest];
  return vector;
}

}  // namespace greenkgc::math
