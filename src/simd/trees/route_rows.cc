#include "simd/trees/route_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/route_rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint32_t>;
using Ints = hn::RebindToSigned<Words>;
using Bytes = hn::Rebind<std::uint8_t, Words>;  // as many bytes as there are words in a vector
using WordVector = hn::Vec<Words>;

HWY_INLINE WordVector low_bits(WordVector v) {
  return hn::And(v, hn::Set(Words{}, 31));
}

// Bit `slot` of a set, as the lowest bit; `high` has those from 32 on, if there can be any.
template <bool kHasHigh>
HWY_INLINE WordVector bit_of(WordVector low, WordVector high, WordVector slot) {
  if constexpr (!kHasHigh) return hn::Shr(low, slot);
  const auto word = hn::IfThenElse(hn::Gt(slot, hn::Set(Words{}, 31)), high, low);
  return hn::Shr(word, low_bits(slot));
}

template <bool kHasHigh>
class Chooser {
 public:
  Chooser(std::uint64_t slots, std::uint32_t* rows)
      : slots_(slots),
        low_(hn::Set(Words{}, static_cast<std::uint32_t>(slots))),
        high_(hn::Set(Words{}, static_cast<std::uint32_t>(slots >> 32))),
        rows_(rows) {}

  HWY_INLINE void choose(std::size_t first_row, WordVector slot) {
    const Words d;
    const auto one = hn::Set(d, 1);
    const auto chosen = hn::Eq(hn::And(bit_of<kHasHigh>(low_, high_, slot), one), one);
    const auto rows = hn::Add(numbers_, hn::Set(d, static_cast<std::uint32_t>(first_row)));
    // Whole vectors are stored, hence the room: cheaper than storing a part.
    hn::StoreU(hn::Compress(rows, chosen), d, rows_ + count_);
    count_ += hn::CountTrue(d, chosen);
  }
  void choose_one(std::size_t row, std::uint8_t slot) {
    rows_[count_] = static_cast<std::uint32_t>(row);
    count_ += slots_ >> (slot & 63) & 1;
  }
  std::size_t count() const { return count_; }

 private:
  std::uint64_t slots_;
  WordVector low_;
  WordVector high_;
  WordVector numbers_ = hn::Iota(Words{}, 0);
  std::uint32_t* rows_;
  std::size_t count_ = 0;
};

std::size_t choose_rows(const std::uint8_t* slots, std::size_t n, std::uint64_t chosen_slots,
                        std::uint32_t* rows) {
  const std::size_t lanes = hn::Lanes(Words{});
  Chooser<true> chooser(chosen_slots, rows);
  std::size_t row = 0;
  for (; row + lanes <= n; row += lanes)
    chooser.choose(row, hn::PromoteTo(Words{}, hn::LoadU(Bytes{}, slots + row)));
  for (; row < n; ++row) chooser.choose_one(row, slots[row]);
  return chooser.count();
}

std::uint8_t route_row(const RowRoutes& routes, const RowKeys& keys, std::size_t row, std::uint8_t slot) {
  const std::uint32_t at = (keys.keys[row] << routes.slot_bits) + slot;
  const std::uint32_t rest = slot > 31 ? keys.ways_high[row] : keys.ways_low[row];
  const std::uint32_t right = (routes.ways[at / 32] >> (at % 32) | rest >> (slot % 32)) & 1;
  return static_cast<std::uint8_t>(2U * slot + right);
}

// The most bits of a slot before the move; those that matter afterwards have one more, or none is chosen.
template <std::size_t kSlotBits, bool kChooses>
std::size_t route_rows_of(const RowRoutes& routes, const RowKeys& keys, std::uint8_t* slots, std::size_t n,
                          std::uint64_t chosen_slots, std::uint32_t* rows) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  const RowKeys from = keys;
  const std::uint32_t* const ways = routes.ways.data();
  const auto slot_bits = static_cast<int>(routes.slot_bits);
  Chooser<(kSlotBits >= 5)> chooser(chosen_slots, rows);
  std::size_t row = 0;
  for (; row + lanes <= n; row += lanes) {
    const auto slot = hn::PromoteTo(d, hn::LoadU(Bytes{}, slots + row));
    const auto at = hn::Add(hn::ShiftLeftSame(hn::LoadU(d, from.keys + row), slot_bits), slot);
    const auto word = hn::GatherIndex(d, ways, hn::BitCast(Ints{}, hn::ShiftRight<5>(at)));
    const auto low = hn::LoadU(d, from.ways_low + row);
    WordVector rest;
    if constexpr (kSlotBits > 5)
      rest = bit_of<true>(low, hn::LoadU(d, from.ways_high + row), slot);
    else
      rest = bit_of<false>(low, low, slot);
    const auto right = hn::And(hn::Or(hn::Shr(word, low_bits(at)), rest), hn::Set(d, 1));
    const auto next = hn::Add(hn::Add(slot, slot), right);
    hn::StoreU(hn::DemoteTo(Bytes{}, hn::BitCast(Ints{}, next)), Bytes{}, slots + row);
    if constexpr (kChooses) chooser.choose(row, next);
  }
  for (; row < n; ++row) {
    slots[row] = route_row(routes, keys, row, slots[row]);
    if constexpr (kChooses) chooser.choose_one(row, slots[row]);
  }
  return chooser.count();
}

std::size_t route_rows(const RowRoutes& routes, const RowKeys& keys, std::uint8_t* slots, std::size_t n,
                       std::uint64_t chosen_slots, std::uint32_t* rows) {
  if (routes.slot_bits > 5) return route_rows_of<6, false>(routes, keys, slots, n, 0, rows);
  if (chosen_slots == 0) return route_rows_of<5, false>(routes, keys, slots, n, 0, rows);
  if (routes.slot_bits > 4) return route_rows_of<5, true>(routes, keys, slots, n, chosen_slots, rows);
  return route_rows_of<4, true>(routes, keys, slots, n, chosen_slots, rows);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(choose_rows);
HWY_EXPORT(route_rows);

std::size_t choose_rows(std::span<const std::uint8_t> slots, std::uint64_t chosen_slots,
                        std::uint32_t* rows) {
  return HWY_DYNAMIC_DISPATCH(choose_rows)(slots.data(), slots.size(), chosen_slots, rows);
}

std::size_t route_rows(const RowRoutes& routes, const RowKeys& keys, std::span<std::uint8_t> slots,
                       std::uint64_t chosen_slots, std::uint32_t* rows) {
  return HWY_DYNAMIC_DISPATCH(route_rows)(routes, keys, slots.data(), slots.size(), chosen_slots, rows);
}

}  // namespace greenkgc::simd
#endif
