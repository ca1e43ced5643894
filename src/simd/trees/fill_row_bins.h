#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/trees/fill_bins.h"
#include "simd/trees/logistic_gradients.h"
#include "simd/trees/sum_rows.h"

namespace greenkgc::simd {

// Bins that stand row by row: that of row r in column c is bins[r * width + c].
struct BinRows {
  const std::uint8_t* bins;
  std::size_t width;
};

// Adds the gradient of each of the rows to histograms[i][bin in columns[i]], for kColumnsAtOnce columns, of
// which some may be the same. By SIMD: bound by the additions in the first-level cache, and for rows far
// apart by fetching their bins and gradients, which are asked for ahead.
void fill_row_bins(std::span<const std::uint32_t> rows, const BinRows& table, const GradientPair* gradients,
                   const std::array<std::size_t, kColumnsAtOnce>& columns,
                   const std::array<GradientSums*, kColumnsAtOnce>& histograms);

}  // namespace greenkgc::simd
