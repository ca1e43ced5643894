#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "decide/samples.h"
#include "decide/split.h"
#include "greenkgc/context.h"

namespace greenkgc::decide {

// Where the rows of a node go: to left + (bins[ids[row]] > bin). A node that stays has left = itself, bin =
// 255.
struct Route {
  const std::uint32_t* ids = nullptr;
  const std::uint8_t* bins = nullptr;
  std::uint8_t bin = 255;
  std::uint8_t left = 0;
};
using Routes = std::array<Route, 256>;  // by node

// A node's gradients by entity or relation, or by row where that is cheaper: an id may occur more than once.
struct Entries {
  std::span<const std::uint32_t> ids;
  std::span<const GradientSums> sums;
};

// One pass over all rows: moves them to the children of their nodes and sums the gradients of some of these
// nodes by head, relation and tail. Histograms of any feature then come from those sums. Cost is O(rows),
// plus the number of entities and relations for each node that has tables.
//
// Each thread adds to tables of its own. Sums are whole numbers, so the result does not depend on which
// thread saw which row.
class NodeSums {
 public:
  // Keeps references. `nodes` has one number per row. Tables take at most `table_bytes`, unless one node
  // alone needs more.
  NodeSums(const Samples& samples, const model::SideTables& tables, std::span<std::uint8_t> nodes,
           std::size_t table_bytes);

  struct Wanted {
    std::uint8_t node;
    double rows;  // a guess: below the number of entities, rows are listed instead of summed in tables
  };
  // How many of these nodes, from the first on, one call of collect may ask for: at least one, more if their
  // tables fit.
  std::size_t batch_size(std::span<const Wanted> wanted) const;

  // `routes` may be null: all rows stay. Rows whose hessian is 0 do not count.
  void collect(const Routes* routes, std::span<const Wanted> wanted, std::span<const GradientPair> gradients,
               const Context& context);
  // Of wanted[i] in the last collect; valid until the next one.
  Entries entries(std::size_t i, TriplePart part) const;

  // Moves the rows and sums nothing.
  void move(const Routes& routes, const Context& context);

 private:
  struct ListedRow {
    std::array<std::uint32_t, model::kTripleParts> ids;
    GradientPair gradient;
  };
  struct Worker {
    std::array<std::vector<GradientSums>, model::kTripleParts> tables;  // one after another, as in table_of_
    std::vector<std::vector<ListedRow>> lists;                          // by wanted node
  };
  struct Merged {
    std::vector<std::uint32_t> ids;  // room for the largest list so far
    std::vector<GradientSums> sums;
    std::size_t count = 0;
    void make_room(std::size_t most) {
      if (ids.size() >= most) return;
      ids.resize(most);
      sums.resize(most);
    }
  };
  enum Kind : std::uint8_t { kNotWanted, kSummed, kListed };

  bool is_listed(const Wanted& wanted) const;
  std::size_t bytes_per_node() const;
  void plan(std::span<const Wanted> wanted, const Context& context);
  template <bool kMove>
  void work(Worker& worker, const Routes* routes, std::span<const GradientPair> gradients,
            std::atomic<std::size_t>& next, const Context& context);
  void add_rows(Worker& worker, std::size_t first, std::span<const std::uint16_t> rows,
                std::span<const GradientPair> gradients) const;
  void list_rows(Worker& worker, std::size_t first, std::span<const std::uint16_t> rows,
                 std::span<const GradientPair> gradients) const;
  void merge(std::size_t i, Kind kind, std::size_t table, std::size_t part);

  const Samples& samples_;
  std::array<std::size_t, model::kTripleParts> sizes_;  // of the parts' tables
  std::span<std::uint8_t> nodes_;
  const std::size_t table_bytes_;

  // Of the current batch.
  std::array<Kind, 256> kind_ = {};               // by node
  std::array<std::uint8_t, 256> wanted_of_ = {};  // by node
  std::array<std::size_t, 256> table_of_ = {};    // by node
  std::size_t table_count_ = 0;
  std::vector<Worker> workers_;
  std::vector<std::array<Merged, model::kTripleParts>> merged_;  // by wanted node
};

}  // namespace greenkgc::decide
