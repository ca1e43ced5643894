#pragma once

#include <array>

#include "simd/vector/logistic.h"

namespace greenkgc::math {

using VariableWeights =
    std::array<double, simd::kMostVariables>;  // those beyond the number of variables are 0

struct LogisticFit {
  VariableWeights weights = {};
  bool converged = false;
};
// The weights that minimize sum of log-losses + |w - prior|^2 / 2, which, with a prior of 0, is what
// scikit-learn's LogisticRegression(fit_intercept=False) minimizes: by Newton's method with step halving, to
// about ten digits.
LogisticFit fit_logistic(const simd::LabelledColumns& samples, const VariableWeights& prior = {});

}  // namespace greenkgc::math
