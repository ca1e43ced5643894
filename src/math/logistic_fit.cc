#include "math/logistic_fit.h"

#include <algorithm>
#include <cmath>

#include "math/small_matrix.h"

namespace greenkgc::math {
namespace {

constexpr int kMostSteps = 100;

// With the penalty |w - prior|^2 / 2.
struct Objective {
  double loss;
  SmallVector gradient;
  SmallMatrix hessian;
};

Objective objective_at(const simd::LabelledColumns& samples, const VariableWeights& w,
                       const VariableWeights& prior) {
  const simd::LogisticSums sums = simd::logistic_sums(samples, w);
  Objective objective{sums.loss, sums.gradient, {samples.variables, {}}};
  std::size_t h = 0;
  for (std::size_t v = 0; v < samples.variables; ++v) {
    const double away = w[v] - prior[v];
    objective.loss += away * away / 2;
    objective.gradient[v] += away;
    for (std::size_t u = 0; u <= v; ++u, ++h)
      objective.hessian.at[v][u] = objective.hessian.at[u][v] = sums.hessian[h];
    objective.hessian.at[v][v] += 1;
  }
  return objective;
}

// Minus the Newton direction. Where the Hessian is too badly scaled for a decomposition, its diagonal alone.
SmallVector newton_step(const Objective& objective, std::size_t variables) {
  if (const auto step = solve(objective.hessian, objective.gradient)) return *step;
  SmallVector step = {};
  for (std::size_t v = 0; v < variables; ++v) step[v] = objective.gradient[v] / objective.hessian.at[v][v];
  return step;
}

double largest(const VariableWeights& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

LogisticFit fit_logistic(const simd::LabelledColumns& samples, const VariableWeights& prior) {
  constexpr double kRelativeStep = 1e-6;     // the step after one so small would be its square
  constexpr double kRoundingOfLoss = 1e-12;  // relative: below it a rise of the loss means nothing
  LogisticFit fit{prior};
  Objective here = objective_at(samples, fit.weights, prior);
  for (int steps = 0; steps < kMostSteps; ++steps) {
    SmallVector step = newton_step(here, samples.variables);
    VariableWeights next = {};
    for (std::size_t v = 0; v < samples.variables; ++v) next[v] = fit.weights[v] - step[v];
    if (largest(step) <= kRelativeStep * largest(next)) {
      return {next, true};
    }
    Objective there = objective_at(samples, next, prior);
    while (!(there.loss <= here.loss * (1 + kRoundingOfLoss)) && ++steps < kMostSteps) {
      for (std::size_t v = 0; v < samples.variables; ++v) {
        step[v] /= 2;
        next[v] = fit.weights[v] - step[v];
      }
      there = objective_at(samples, next, prior);
    }
    if (!(there.loss <= here.loss * (1 + kRoundingOfLoss))) break;
    fit.weights = next;
    here = there;
  }
  return fit;
}

}  // namespace greenkgc::math
