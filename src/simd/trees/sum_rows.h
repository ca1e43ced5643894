#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/trees/logistic_gradients.h"

namespace greenkgc::simd {

// Sums of GradientPairs, in the same units. Exact: up to 2^32 samples of any weight fit.
struct GradientSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;  // 0: no sample, since each has at least one unit

  GradientSums& operator+=(const GradientSums& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
  GradientSums& operator-=(const GradientSums& other) {
    gradient -= other.gradient;
    hessian -= other.hessian;
    return *this;
  }
  friend GradientSums operator-(GradientSums a, const GradientSums& b) { return a -= b; }
  friend bool operator==(const GradientSums&, const GradientSums&) = default;
};

// Rows [begin, end) that follow one another and share all keys but one.
struct RowRun {
  std::uint16_t begin;
  std::uint16_t end;
  std::array<std::uint32_t, 2> shared_keys;
};

// Of rows that follow one another, by number from 0: what is summed where.
struct RowsToSum {
  std::span<const std::uint32_t> rows;  // that count, ascending
  std::span<const RowRun> runs;         // cover all rows, in order
  const std::uint32_t* keys;            // by row: the one that its run does not share
  const std::uint8_t* slots;            // by row
  const GradientPair* gradients;        // by row
  const std::uint8_t* column_of_slot;   // below `columns`
  std::size_t columns;                  // 1 to kMostSumColumns
};
inline constexpr std::size_t kMostSumColumns = 64;

// Adds the gradient of each row to table[key * columns + column_of_slot[slot]], for each of its keys. Bound
// by one addition in the second-level cache or beyond per row, and by `columns` of them per key and run.
void sum_rows(const RowsToSum& input, GradientSums* table);

// The same for all rows of a run and one column: table[key], and the sum for the shared keys.
GradientSums sum_run(std::span<const GradientPair> gradients, const std::uint32_t* keys, GradientSums* table);

}  // namespace greenkgc::simd
