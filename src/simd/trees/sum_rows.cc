#include "simd/trees/sum_rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/sum_rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Sums = hn::FixedTag<std::int64_t, 2>;  // a GradientSums
using Pair = hn::FixedTag<std::int32_t, 2>;

constexpr std::size_t kPrefetchAhead = 12;  // rows: about the time that a line of the last-level cache takes

HWY_INLINE hn::Vec<Sums> load(const GradientSums& sums) {
  return hn::LoadU(Sums{}, &sums.gradient);
}
HWY_INLINE void add(hn::Vec<Sums> what, GradientSums& to) {
  hn::StoreU(hn::Add(load(to), what), Sums{}, &to.gradient);
}
HWY_INLINE hn::Vec<Sums> wide(const GradientPair& pair) {
  return hn::PromoteTo(Sums{}, hn::LoadU(Pair{}, &pair.gradient));
}

// The sums of a run by column. Two of them, used in turn: an addition need not wait for the one before it.
struct RunSums {
  GradientSums of[2][kMostSumColumns];
};

// Clears the sums, too.
HWY_INLINE void flush(RunSums& sums, const RowRun& run, std::size_t columns, GradientSums* table) {
  GradientSums* const first = table + run.shared_keys[0] * columns;
  GradientSums* const second = table + run.shared_keys[1] * columns;
  for (std::size_t column = 0; column < columns; ++column) {
    const auto sum = hn::Add(load(sums.of[0][column]), load(sums.of[1][column]));
    add(sum, first[column]);
    add(sum, second[column]);
    sums.of[0][column] = sums.of[1][column] = {};
  }
}

void sum_rows(const RowsToSum& in, GradientSums* table) {
  RunSums run_sums = {};
  const std::uint32_t* const rows = in.rows.data();
  const std::size_t n = in.rows.size();
  const std::uint32_t* const keys = in.keys;
  const std::uint8_t* const slots = in.slots;
  const std::uint8_t* const column_of_slot = in.column_of_slot;
  const GradientPair* const gradients = in.gradients;
  const std::size_t columns = in.columns;
  std::size_t k = 0;
  for (const RowRun& run : in.runs) {
    if (k == n) return;
    if (rows[k] >= run.end) continue;
    for (; k < n && rows[k] < run.end; ++k) {
      const std::uint32_t ahead = rows[std::min(k + kPrefetchAhead, n - 1)];
      __builtin_prefetch(gradients + ahead);
      __builtin_prefetch(table + keys[ahead] * columns + column_of_slot[slots[ahead]], 1);
      const std::uint32_t row = rows[k];
      const std::size_t column = column_of_slot[slots[row]];
      const auto gradient = wide(gradients[row]);
      add(gradient, table[keys[row] * columns + column]);
      add(gradient, run_sums.of[k % 2][column]);
    }
    flush(run_sums, run, columns, table);
  }
}

GradientSums sum_run(const GradientPair* gradients, std::size_t n, const std::uint32_t* keys,
                     GradientSums* table) {
  auto sum = hn::Zero(Sums{});
  for (std::size_t i = 0; i < n; ++i) {
    const auto gradient = wide(gradients[i]);
    sum = hn::Add(sum, gradient);
    add(gradient, table[keys[i]]);
  }
  GradientSums result;
  hn::StoreU(sum, Sums{}, &result.gradient);
  return result;
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(sum_rows);
HWY_EXPORT(sum_run);

void sum_rows(const RowsToSum& input, GradientSums* table) {
  HWY_DYNAMIC_DISPATCH(sum_rows)(input, table);
}

GradientSums sum_run(std::span<const GradientPair> gradients, const std::uint32_t* keys,
                     GradientSums* table) {
  return HWY_DYNAMIC_DISPATCH(sum_run)(gradients.data(), gradients.size(), keys, table);
}

}  // namespace greenkgc::simd
#endif
