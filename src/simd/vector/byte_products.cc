#include "simd/vector/byte_products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/byte_products.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void byte_products(std::span<const std::int8_t> query, const std::int8_t* rows,
                   std::span<std::int32_t> products) {
  const hn::ScalableTag<std::int32_t> sums;
  const hn::Repartition<std::int16_t, decltype(sums)> wide;
  const hn::Rebind<std::int8_t, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  static_assert(kByteGranule % hn::MaxLanes(wide) == 0);
  for (std::int32_t& product : products) {
    auto sum = hn::Zero(sums);
    auto second = hn::Zero(sums);
    for (std::size_t i = 0; i < query.size(); i += lanes) {
      const auto a = hn::PromoteTo(wide, hn::LoadU(narrow, query.data() + i));
      const auto b = hn::PromoteTo(wide, hn::LoadU(narrow, rows + i));
      sum = hn::ReorderWidenMulAccumulate(sums, a, b, sum, second);
    }
    product = hn::GetLane(hn::SumOfLanes(sums, hn::Add(sum, second)));
    rows += query.size();
  }
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(byte_products);

void byte_products(std::span<const std::int8_t> query, const std::int8_t* rows,
                   std::span<std::int32_t> products) {
  HWY_DYNAMIC_DISPATCH(byte_products)(query, rows, products);
}

}  // namespace greenkgc::simd
#endif
