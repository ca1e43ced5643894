#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace greenkgc::simd {

// How rows move from the nodes of a tree's level to their children. A node is known by its slot, the place in
// its level if the tree were complete: the children of slot s are 2s and 2s + 1. A row has several keys; the
// ways of a key are one bit per slot: whether its rows go to the right there. A row goes to the right if one
// of its keys says so; at a leaf none does.
struct RowRoutes {
  static constexpr std::size_t kMostSlotBits = 6;
  static constexpr std::size_t kMostKeys = std::size_t{1}
                                           << 26;  // what bit numbers of 32 bits can tell apart

  std::size_t slot_bits = 3;            // 3 to kMostSlotBits; slots are below 2^slot_bits
  std::span<const std::uint32_t> ways;  // bit (key << slot_bits) + slot, 32 to a word, the lowest first
};

// Of some rows that follow one another: one key each, and the ways of the rest of its keys, put together.
struct RowKeys {
  const std::uint32_t* keys;
  const std::uint32_t* ways_low;   // slots 0 to 31
  const std::uint32_t* ways_high;  // slots 32 to 63: read if slot_bits is 6
};

// Writes the numbers of the rows (from 0) whose slot is in the set, in order; returns how many there are.
// `rows` has room for kRouteRoom more than there are slots.
inline constexpr std::size_t kRouteRoom = 64;
std::size_t choose_rows(std::span<const std::uint8_t> slots, std::uint64_t chosen_slots, std::uint32_t* rows);

// Moves rows, then chooses among them; with slot_bits of kMostSlotBits none can be chosen. By SIMD: bound by
// one look-up per row.
std::size_t route_rows(const RowRoutes& routes, const RowKeys& keys, std::span<std::uint8_t> slots,
                       std::uint64_t chosen_slots, std::uint32_t* rows);

}  // namespace greenkgc::simd
