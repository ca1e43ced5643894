#include "simd/trees/fill_row_bins.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/fill_row_bins.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Sums = hn::FixedTag<std::int64_t, 2>;  // a GradientSums
using Pair = hn::FixedTag<std::int32_t, 2>;  // a GradientPair

constexpr std::size_t kAhead = 16;  // rows; measured with 8 to 64

void fill_row_bins(const std::uint32_t* rows, std::size_t n, const BinRows& table,
                   const GradientPair* gradients, const std::size_t* columns, GradientSums* const* sums) {
  GradientSums* const s0 = sums[0];
  GradientSums* const s1 = sums[1];
  GradientSums* const s2 = sums[2];
  GradientSums* const s3 = sums[3];
  const auto add = [](GradientSums* to, hn::Vec<Sums> pair) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(Sums{}, &to->gradient), pair), Sums{}, &to->gradient);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t later = rows[i + kAhead < n ? i + kAhead : n - 1];
    hwy::Prefetch(table.bins + later * table.width);
    hwy::Prefetch(gradients + later);
    const std::size_t row = rows[i];
    const std::uint8_t* const bins = table.bins + row * table.width;
    const auto pair = hn::PromoteTo(Sums{}, hn::LoadU(Pair{}, &gradients[row].gradient));
    add(s0 + bins[columns[0]], pair);
    add(s1 + bins[columns[1]], pair);
    add(s2 + bins[columns[2]], pair);
    add(s3 + bins[columns[3]], pair);
  }
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

static_assert(kColumnsAtOnce == 4);
HWY_EXPORT(fill_row_bins);

void fill_row_bins(std::span<const std::uint32_t> rows, const BinRows& table, const GradientPair* gradients,
                   const std::array<std::size_t, kColumnsAtOnce>& columns,
                   const std::array<GradientSums*, kColumnsAtOnce>& histograms) {
  HWY_DYNAMIC_DISPATCH(fill_row_bins)
  (rows.data(), rows.size(), table, gradients, columns.data(), histograms.data());
}

}  // namespace greenkgc::simd
#endif
