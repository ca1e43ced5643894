#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace greenkgc {

// How rows move from the nodes of a tree's level to their children. A row has three ids; of each node that is
// split, one of them decides, by a table of the child for each id.
struct RowRoutes {
  static constexpr std::int32_t kStays = 3;
  static constexpr std::size_t kMostTableBytes = std::size_t{1} << 29;  // what fits into a code

  // By node: 4 * (where the node's table starts in `children`) + (which id decides: 0, 1, 2), or kStays.
  std::array<std::int32_t, 256> codes;
  std::span<const std::uint32_t> children;  // bytes, four to a word, the lowest first; at least one word
};

// Moves rows, given the three ids of each, and writes the numbers of those that arrive at a chosen node (from
// 0), in order; returns how many. chosen_nodes is 0 or not 0 by node. chosen_rows has room for kRouteRoom
// more than there are rows. Little-endian machines. By SIMD: bound by three look-ups of a vector of rows
// each.
inline constexpr std::size_t kRouteRoom = 64;
std::size_t route_rows(const RowRoutes& routes, const std::array<const std::uint32_t*, 3>& ids,
                       const std::array<std::int32_t, 256>& chosen_nodes, std::span<std::uint8_t> nodes,
                       std::uint32_t* chosen_rows);

}  // namespace greenkgc
