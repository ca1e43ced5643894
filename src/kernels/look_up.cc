#include "kernels/look_up.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/look_up.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void look_up(std::span<const float> table, std::span<const std::uint8_t> places, float* out) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<std::int32_t, decltype(d)> wide;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= places.size(); i += lanes) {
    const auto at = hn::PromoteTo(wide, hn::LoadU(narrow, places.data() + i));
    hn::StoreU(hn::GatherIndex(d, table.data(), at), d, out + i);
  }
  for (; i < places.size(); ++i) out[i] = table[places[i]];
}

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

HWY_EXPORT(look_up);

void look_up(std::span<const float> table, std::span<const std::uint8_t> places, float* out) {
  HWY_DYNAMIC_DISPATCH(look_up)(table, places, out);
}

}  // namespace greenkgc
#endif
