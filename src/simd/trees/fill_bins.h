#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/trees/sum_rows.h"

namespace greenkgc::simd {

// Sums by id: entry e has ids[e], and a vector of `width` sums (one per node) from sums[e * width] on. An id
// may occur more than once.
struct SumEntries {
  // Wider, an entry takes more of the first-level cache than it saves: measured with 4.
  static constexpr std::size_t kMostWidth = 2;

  std::span<const std::uint32_t> ids;
  const GradientSums* sums = nullptr;  // best aligned to an entry
  std::size_t width = 1;               // 1 or 2
};

// Columns that are filled at once: their bins stay in the first-level cache.
inline constexpr std::size_t kColumnsAtOnce = 4;

// Adds the sums of each entry to histograms[c][bins[c][id] * width], for kColumnsAtOnce columns c. By
// SIMD: bound by the additions in the first-level cache, one per entry and column whatever the width.
void fill_bins(const SumEntries& entries, const std::array<const std::uint8_t*, kColumnsAtOnce>& bins,
               const std::array<GradientSums*, kColumnsAtOnce>& histograms);

}  // namespace greenkgc::simd
