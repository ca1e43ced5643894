#include "decide/split.h"

namespace greenkgc::decide {
namespace {

constexpr double kSmallestGain = 1e-6;  // below it, gains are rounding; XGBoost has the same

double as_real(std::int64_t units) {
  return static_cast<double>(units) / kGradientUnit;
}

double score(const GradientSums& sums, double lambda) {
  const double gradient = as_real(sums.gradient);
  return gradient * gradient / (as_real(sums.hessian) + lambda);
}

// The sum of two scores, by one division: that is what a scan over bins is bound by.
double score(const GradientSums& a, const GradientSums& b, double lambda) {
  const double a_gradient = as_real(a.gradient);
  const double b_gradient = as_real(b.gradient);
  const double a_weight = as_real(a.hessian) + lambda;
  const double b_weight = as_real(b.hessian) + lambda;
  return (a_gradient * a_gradient * b_weight + b_gradient * b_gradient * a_weight) / (a_weight * b_weight);
}

}  // namespace

double leaf_value(const GradientSums& sums, const SplitRule& rule) {
  if (sums.hessian == 0) return 0;
  return -as_real(sums.gradient) / (as_real(sums.hessian) + rule.lambda);
}

void find_split(std::span<const GradientSums> histogram, const GradientSums& node, const SplitRule& rule,
                std::uint32_t column, NodeSplit& best) {
  if (node.hessian == 0) return;
  const double before = score(node, rule.lambda);
  GradientSums left;
  for (std::size_t bin = 0; bin + 1 < histogram.size(); ++bin) {
    if (histogram[bin].hessian == 0) continue;
    left += histogram[bin];
    const GradientSums right = node - left;
    if (right.hessian == 0 || as_real(right.hessian) < rule.min_child_weight) return;
    if (as_real(left.hessian) < rule.min_child_weight) continue;
    const double gain = score(left, right, rule.lambda) - before;
    if (gain > best.gain && gain > kSmallestGain && gain >= rule.gamma)
      best = {gain, column, static_cast<std::uint8_t>(bin), left};
  }
}

}  // namespace greenkgc::decide
