#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "decide/samples.h"
#include "greenkgc/context.h"
#include "kernels/route_rows.h"

namespace greenkgc::decide {

// A node that is split: its rows go to `left` if their bin is at most `bin`, else to left + 1.
struct NodeRoute {
  std::uint8_t node;
  TriplePart part;
  std::span<const std::uint8_t> bins;  // by the part's id
  std::uint8_t bin;
  std::uint8_t left;
};

// Which node of a growing tree each row is at, and how rows go on.
class RowRouter {
 public:
  explicit RowRouter(const Samples& samples) : samples_(samples), nodes_(samples.size()) { clear_routes(); }

  void start();  // all rows are at the root, and stay there
  // From now on, rows that are moved go along these. Costs a byte per entity or relation for each of them;
  // should that be more than a kernel can address, rows go along the first of them at once.
  void set_routes(std::span<const NodeRoute> routes, const Context& context);
  void clear_routes();

  // Moves `count` rows, and lists those that arrive at a chosen node, counted from `first`. Distinct rows may
  // be moved by several threads. `rows` has room for count + kRouteRoom. Returns how many are listed.
  std::size_t move(std::size_t first, std::size_t count, const std::array<std::int32_t, 256>& chosen_nodes,
                   std::uint32_t* rows);
  void move_all(const Context& context);

  // About how many rows each node will have once all have moved: counted on some 32,000 rows.
  std::array<double, 256> expected_rows() const;

  std::span<const std::uint8_t> nodes() const { return nodes_; }
  bool all_at_root() const { return all_at_root_; }

 private:
  std::array<const std::uint32_t*, 3> ids_from(std::size_t first) const;

  const Samples& samples_;
  std::vector<std::uint8_t> nodes_;
  bool all_at_root_ = true;
  RowRoutes routes_;
  std::vector<std::uint32_t> children_;  // the tables of routes_
};

}  // namespace greenkgc::decide
