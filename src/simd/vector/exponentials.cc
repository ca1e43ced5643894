#include "simd/vector/exponentials.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/exponentials.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

void shifted_exponentials(const float* values, float shift, float* results, std::size_t n) {
  const Floats d;
  constexpr std::size_t kMostLanes = hn::MaxLanes(Floats{});
  const std::size_t lanes = hn::Lanes(d);
  const auto shifts = hn::Set(d, shift);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Exp(d, hn::Sub(hn::LoadU(d, values + i), shifts)), d, results + i);
  if (i == n) return;
  float last[kMostLanes] = {};
  std::copy(values + i, values + n, last);
  hn::StoreU(hn::Exp(d, hn::Sub(hn::LoadU(d, last), shifts)), d, last);
  std::copy(last, last + (n - i), results + i);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(shifted_exponentials);

void shifted_exponentials(std::span<const float> values, float shift, std::span<float> results) {
  HWY_DYNAMIC_DISPATCH(shifted_exponentials)(values.data(), shift, results.data(), values.size());
}

}  // namespace greenkgc::simd
#endif
