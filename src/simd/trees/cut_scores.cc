#include "simd/trees/cut_scores.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/cut_scores.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Ints = hn::RebindToSigned<Doubles>;
using Sums = hn::FixedTag<std::int64_t, 2>;  // a GradientSums

// In whole vectors: what stands behind the last cut gets a score of 0.
void score_cuts(const GradientSums* histogram, std::size_t n, const CutRule& rule, CutScores& cuts) {
  const Doubles d;
  const Ints di;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(Sums{});
  for (std::size_t bin = 0; bin < n; ++bin) {
    sum = hn::Add(sum, hn::LoadU(Sums{}, &histogram[bin].gradient));
    hn::StoreU(sum, Sums{}, &cuts.left[bin].gradient);
  }
  for (std::size_t bin = n; bin % lanes != 0; ++bin) cuts.left[bin] = {};
  const auto total_gradient = hn::Set(di, rule.total.gradient);
  const auto total_hessian = hn::Set(di, rule.total.hessian);
  const auto lambda = hn::Set(d, rule.lambda);
  const auto least = hn::Set(d, rule.least_hessian);
  auto highest = hn::Zero(d);
  for (std::size_t cut = 0; cut < n; cut += lanes) {
    hn::Vec<Ints> gradient;
    hn::Vec<Ints> hessian;
    hn::LoadInterleaved2(di, &cuts.left[cut].gradient, gradient, hessian);
    const auto left_gradient = hn::ConvertTo(d, gradient);
    const auto left_hessian = hn::ConvertTo(d, hessian);
    const auto right_gradient = hn::ConvertTo(d, hn::Sub(total_gradient, gradient));
    const auto right_hessian = hn::ConvertTo(d, hn::Sub(total_hessian, hessian));
    const auto left_weight = hn::Add(left_hessian, lambda);
    const auto right_weight = hn::Add(right_hessian, lambda);
    const auto above = hn::MulAdd(hn::Mul(left_gradient, left_gradient), right_weight,
                                  hn::Mul(hn::Mul(right_gradient, right_gradient), left_weight));
    const auto score = hn::Div(above, hn::Mul(left_weight, right_weight));
    const auto counts = hn::Ge(hn::Min(left_hessian, right_hessian), least);
    const auto counted = hn::IfThenElseZero(counts, score);
    hn::StoreU(counted, d, cuts.scores + cut);
    highest = hn::Max(highest, counted);
  }
  cuts.highest = hn::GetLane(hn::MaxOfLanes(d, highest));
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(score_cuts);

void score_cuts(std::span<const GradientSums> histogram, const CutRule& rule, CutScores& cuts) {
  HWY_DYNAMIC_DISPATCH(score_cuts)(histogram.data(), histogram.size(), rule, cuts);
}

}  // namespace greenkgc::simd
#endif
