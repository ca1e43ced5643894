#include "simd/vector/look_up.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/look_up.cc"
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

#include "simd/vector/table_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void look_up(std::span<const float> table, std::span<const std::uint8_t> places, float* out) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float all[256];
  std::copy(table.begin(), table.end(), all);
  std::size_t i =
      for_table_values(all, places, [&](std::size_t at, auto values) { hn::StoreU(values, d, out + at); });
  for (; i < places.size(); ++i) out[i] = table[places[i]];
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(look_up);

void look_up(std::span<const float> table, std::span<const std::uint8_t> places, float* out) {
  HWY_DYNAMIC_DISPATCH(look_up)(table, places, out);
}

}  // namespace greenkgc::simd
#endif
