#include "simd/trees/logistic_gradients.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/logistic_gradients.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::Rebind<std::uint8_t, Floats>;  // as many bytes as there are floats in a vector

// Bound by the exponential: some twenty operations per vector.
HWY_INLINE void gradients_of_vector(const float* margins, const std::uint8_t* labels,
                                    std::int32_t* gradients) {
  const Floats d;
  const Ints di;
  const auto positive =
      hn::RebindMask(d, hn::Ne(hn::PromoteTo(di, hn::LoadU(Bytes{}, labels)), hn::Zero(di)));
  // The margin of being wrong, so that no difference of nearly equal numbers is taken.
  const auto margin = hn::LoadU(d, margins);
  const auto wrong = hn::IfThenElse(positive, hn::Neg(margin), margin);
  const auto one = hn::Set(d, 1.0F);
  const auto e = hn::Exp(d, hn::Neg(hn::Abs(wrong)));
  const auto inverse = hn::Div(one, hn::Add(one, e));
  const auto unit = hn::Set(d, static_cast<float>(kGradientUnit));
  const auto p = hn::Mul(hn::Mul(hn::IfThenElse(hn::Ge(wrong, hn::Zero(d)), one, e), inverse), unit);
  const auto curvature = hn::Mul(hn::Mul(hn::Mul(e, inverse), inverse), unit);
  const auto gradient = hn::NearestInt(hn::IfThenElse(positive, hn::Neg(p), p));
  const auto hessian = hn::Max(hn::NearestInt(curvature), hn::Set(di, 1));
  hn::StoreInterleaved2(gradient, hessian, di, gradients);
}

void logistic_gradients(const float* margins, const std::uint8_t* labels, GradientPair* gradients,
                        std::size_t n) {
  constexpr std::size_t kMostLanes = hn::MaxLanes(Floats{});
  const std::size_t lanes = hn::Lanes(Floats{});
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    gradients_of_vector(margins + i, labels + i, reinterpret_cast<std::int32_t*>(gradients + i));
  if (i == n) return;
  float last_margins[kMostLanes] = {};
  std::uint8_t last_labels[kMostLanes] = {};
  GradientPair last[kMostLanes];
  std::copy(margins + i, margins + n, last_margins);
  std::copy(labels + i, labels + n, last_labels);
  gradients_of_vector(last_margins, last_labels, reinterpret_cast<std::int32_t*>(last));
  std::copy(last, last + (n - i), gradients + i);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(logistic_gradients);

void logistic_gradients(std::span<const float> margins, std::span<const std::uint8_t> labels,
                        std::span<GradientPair> gradients) {
  HWY_DYNAMIC_DISPATCH(logistic_gradients)(margins.data(), labels.data(), gradients.data(), margins.size());
}

}  // namespace greenkgc::simd
#endif
