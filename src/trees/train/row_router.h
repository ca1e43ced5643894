#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "simd/trees/route_rows.h"
#include "trees/train/row_runs.h"
#include "trees/train/samples.h"

namespace greenkgc::trees {

// A node that is split: its rows go to the left if their bin is at most `bin`.
struct NodeRoute {
  std::uint8_t slot;
  TriplePart part;
  std::span<const std::uint8_t> bins;  // by the part's id
  std::uint8_t bin;
};

// Which node of a growing tree's level each row is at, by slot (see RowRoutes), and how rows go on.
class RowRouter {
 public:
  static constexpr std::size_t kBlock = RowRuns::kBlock;  // rows that move at once: they stay in the cache
  static constexpr std::size_t kBlocksAtOnce = 32;        // that a thread takes

  RowRouter(const Samples& samples, const features::SideTables& tables);

  void start(const Context& context);  // all rows are at the root
  // From now on, rows are to move one level down along these; those at other nodes go to the left. Costs a
  // bit per key and slot of the level.
  void set_routes(std::span<const NodeRoute> routes, const Context& context);
  bool all_at_root() const { return level_ == 0; }
  // Says that move() was called for all rows.
  void rows_moved() { must_move_ = false; }

  // What a thread needs to move up to kBlock rows; these count from the first of them.
  struct Block {
    std::array<std::uint32_t, kBlock> ways_low;
    std::array<std::uint32_t, kBlock> ways_high;
    std::array<std::uint32_t, kBlock + simd::kRouteRoom> chosen;
    std::size_t chosen_count = 0;
  };
  // Moves `count` rows from `first` on, a multiple of kBlock, if they must, and lists those that then are at
  // one of the chosen slots. Distinct rows may be moved by several threads.
  void move(std::size_t first, std::size_t count, std::uint64_t chosen_slots, Block& block);
  // Moves all rows if they must, then puts node_of_slot[slot] in the place of each slot. Calls
  // on_settled(begin, end) for each piece of the rows that is done, from several threads.
  void settle(std::span<const std::uint8_t, 256> node_of_slot, const Context& context,
              const std::function<void(std::size_t, std::size_t)>& on_settled);

  // About how many rows each slot will have once all have moved: counted on some thousands of them.
  std::array<double, 256> expected_rows() const;

  const RowRuns& runs() const { return runs_; }
  const RowKeyRange& keys() const { return keys_; }
  std::span<const std::uint8_t> slots() const { return slots_; }

 private:
  struct Counted {
    std::array<std::uint32_t, features::kTripleParts> keys;
    std::uint8_t slot;
  };

  void fill_ways(std::span<const simd::RowRun> runs, Block& block) const;
  std::uint64_t ways_of(std::size_t key) const;

  const RowKeyRange keys_;
  const RowRuns runs_;
  std::vector<std::uint8_t> slots_;
  std::size_t level_ = 0;  // to which rows have moved or are to move
  bool must_move_ = false;
  simd::RowRoutes routes_;
  std::vector<std::uint32_t> ways_;  // those of routes_
  std::vector<Counted> counted_;
};

}  // namespace greenkgc::trees
