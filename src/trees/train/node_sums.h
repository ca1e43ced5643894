#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "simd/trees/fill_bins.h"
#include "simd/trees/sum_rows.h"
#include "trees/train/row_router.h"
#include "trees/train/samples.h"

namespace greenkgc::trees {

// One pass over all rows: moves them as the router says and sums the gradients of some of the nodes that they
// arrive at by head, relation and tail. Histograms of any feature then come from those sums. Cost is O(rows),
// plus the number of entities and relations for each node that has tables.
//
// Each thread adds to tables of its own. Sums are whole numbers, so the result does not depend on which
// thread saw which row.
class NodeSums {
 public:
  // Keeps references. Tables take at most `table_bytes`, unless one node alone needs more.
  NodeSums(const Samples& samples, RowRouter& router, std::size_t table_bytes);

  struct Wanted {
    std::uint8_t slot;
    double rows;  // about: if few compared with entities, rows are listed instead of summed in tables
  };
  // How many of these nodes, from the first on, one call of collect may ask for: at least one, more if their
  // tables fit.
  std::size_t batch_size(std::span<const Wanted> wanted, const Context& context) const;

  struct Gradients {
    std::span<const simd::GradientPair> of_rows;  // a row whose hessian is 0 does not count
    bool skip_left_out = false;                   // worth it if there are many of those
  };
  // Moves the rows, too.
  void collect(std::span<const Wanted> wanted, const Gradients& gradients, const Context& context);

  // Some of the wanted nodes of the last collect, whose sums stand side by side: one that was listed, or
  // several that were not.
  struct Group {
    std::vector<std::size_t> nodes;  // wanted[i]; at most SumEntries::kMostWidth
    bool listed;
  };
  std::span<const Group> groups() const { return groups_; }
  // By entity or relation, or by row if that is cheaper. Valid until the next collect.
  simd::SumEntries entries(std::size_t group, TriplePart part) const;

 private:
  struct ListedRow {
    std::array<std::uint32_t, features::kTripleParts> ids;
    simd::GradientPair gradient;
  };
  // They start at a line of the cache.
  class AlignedSums {
   public:
    void make_room(std::size_t count) { lines_.resize(std::max(lines_.size(), (count + 3) / 4)); }
    void clear_to(std::size_t count) { lines_.assign((count + 3) / 4, {}); }
    simd::GradientSums* data() { return lines_.empty() ? nullptr : lines_[0].sums.data(); }
    const simd::GradientSums* data() const { return lines_.empty() ? nullptr : lines_[0].sums.data(); }

   private:
    struct alignas(64) Line {
      std::array<simd::GradientSums, 4> sums;
    };
    std::vector<Line> lines_;
  };
  struct Worker {
    RowRouter::Block block;
    AlignedSums table;                          // by key, then by column
    std::vector<std::vector<ListedRow>> lists;  // by wanted node
  };
  struct Merged {
    std::vector<std::uint32_t> ids;  // room for the largest so far
    AlignedSums sums;
    std::size_t count = 0;
    void clear(std::size_t most, std::size_t width) {
      count = 0;
      if (ids.size() < most) ids.resize(most);
      sums.make_room(most * width);
    }
  };

  bool is_listed(const Wanted& wanted) const;
  std::size_t bytes_per_node(std::size_t workers) const;
  void plan(std::span<const Wanted> wanted, const Context& context);
  void work(Worker& worker, const Gradients& gradients, std::atomic<std::size_t>& next,
            const Context& context);
  // All of these take the rows of a block, from `first` on. At the root: all of them count.
  void add_all(Worker& worker, std::size_t first, const Gradients& gradients) const;
  void move_and_add(Worker& worker, std::size_t first, std::size_t count, const Gradients& gradients);
  void list_rows(Worker& worker, std::size_t first, std::size_t count, const Gradients& gradients) const;
  void merge_lists(std::size_t group, TriplePart part);
  void merge_tables(std::size_t group, TriplePart part);
  template <std::size_t kWidth>
  void merge_columns(std::size_t first_column, std::size_t count, TriplePart part, Merged& merged) const;

  const Samples& samples_;
  RowRouter& router_;
  const std::size_t table_bytes_;

  // Of the current batch.
  std::uint64_t summed_slots_ = 0;
  std::uint64_t listed_slots_ = 0;
  std::array<std::uint8_t, 256> wanted_of_ = {};       // by slot
  std::array<std::uint8_t, 256> column_of_slot_ = {};  // in the tables
  std::size_t columns_ = 0;
  std::vector<Group> groups_;  // first those with tables, in the order of their columns
  std::vector<Worker> workers_;
  std::vector<std::array<Merged, features::kTripleParts>> merged_;  // by group
};

}  // namespace greenkgc::trees
