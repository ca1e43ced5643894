#include "simd/trees/fill_bins.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/fill_bins.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using BinColumns = std::array<const std::uint8_t*, kColumnsAtOnce>;
using BinHistograms = std::array<GradientSums*, kColumnsAtOnce>;

template <std::size_t kWidth>
HWY_INLINE void add_sums(const GradientSums* what, GradientSums* to) {
  const hn::CappedTag<std::int64_t, 2 * kWidth> d;
  constexpr std::size_t kSums = hn::MaxLanes(d) / 2;
  for (std::size_t i = 0; i < kWidth; i += kSums)
    hn::StoreU(hn::Add(hn::LoadU(d, &to[i].gradient), hn::LoadU(d, &what[i].gradient)), d, &to[i].gradient);
}

template <std::size_t kWidth>
void fill_bins_of(const SumEntries& entries, const BinColumns& bins, const BinHistograms& histograms) {
  const std::uint8_t* column_bins[kColumnsAtOnce];
  GradientSums* sums[kColumnsAtOnce];
  for (std::size_t c = 0; c < kColumnsAtOnce; ++c) {
    column_bins[c] = bins[c];
    sums[c] = histograms[c];
  }
  const GradientSums* what = entries.sums;
  for (const std::uint32_t id : entries.ids) {
    for (std::size_t c = 0; c < kColumnsAtOnce; ++c)
      add_sums<kWidth>(what, sums[c] + column_bins[c][id] * kWidth);
    what += kWidth;
  }
}

void fill_bins(const SumEntries& entries, const BinColumns& bins, const BinHistograms& histograms) {
  if (entries.width == 1)
    fill_bins_of<1>(entries, bins, histograms);
  else
    fill_bins_of<2>(entries, bins, histograms);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(fill_bins);

void fill_bins(const SumEntries& entries, const std::array<const std::uint8_t*, kColumnsAtOnce>& bins,
               const std::array<GradientSums*, kColumnsAtOnce>& histograms) {
  HWY_DYNAMIC_DISPATCH(fill_bins)(entries, bins, histograms);
}

}  // namespace greenkgc::simd
#endif
