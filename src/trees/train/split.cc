#include "trees/train/split.h"

#include <algorithm>

#include "simd/trees/cut_scores.h"

namespace greenkgc::trees {
namespace {

constexpr double kSmallestGain = 1e-6;  // below it, gains are rounding; XGBoost has the same
constexpr double kScoreError = 1e-12;   // relative, well above that of a kernel's scores

double as_real(std::int64_t units) {
  return static_cast<double>(units) / simd::kGradientUnit;
}

double score(const simd::GradientSums& sums, double lambda) {
  const double gradient = as_real(sums.gradient);
  return gradient * gradient / (as_real(sums.hessian) + lambda);
}

// The sum of two scores.
double score(const simd::GradientSums& a, const simd::GradientSums& b, double lambda) {
  const double a_gradient = as_real(a.gradient);
  const double b_gradient = as_real(b.gradient);
  const double a_weight = as_real(a.hessian) + lambda;
  const double b_weight = as_real(b.hessian) + lambda;
  return (a_gradient * a_gradient * b_weight + b_gradient * b_gradient * a_weight) / (a_weight * b_weight);
}

}  // namespace

double leaf_value(const simd::GradientSums& sums, const SplitRule& rule) {
  if (sums.hessian == 0) return 0;
  return -as_real(sums.gradient) / (as_real(sums.hessian) + rule.lambda);
}

void find_split(std::span<const simd::GradientSums> histogram, const simd::GradientSums& node,
                const SplitRule& rule, std::uint32_t column, NodeSplit& best) {
  if (node.hessian == 0) return;
  simd::CutScores cuts;
  simd::score_cuts(histogram.first(histogram.size() - 1),
                   {.total = node,
                    .lambda = rule.lambda * simd::kGradientUnit,
                    .least_hessian = std::max(1.0, rule.min_child_weight * simd::kGradientUnit)},
                   cuts);
  const double before = score(node, rule.lambda);
  const double highest = cuts.highest / simd::kGradientUnit;
  if (highest * (1 + kScoreError) <= before + best.gain) return;
  // Of those that may be the highest, by one formula for all instruction sets.
  for (std::size_t bin = 0; bin + 1 < histogram.size(); ++bin) {
    if (cuts.scores[bin] == 0 || cuts.scores[bin] < cuts.highest * (1 - kScoreError)) continue;
    const simd::GradientSums& left = cuts.left[bin];
    const double gain = score(left, node - left, rule.lambda) - before;
    if (gain > best.gain && gain > kSmallestGain && gain >= rule.gamma)
      best = {gain, column, static_cast<std::uint8_t>(bin), left};
  }
}

}  // namespace greenkgc::trees
