#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "decide/row_router.h"
#include "decide/samples.h"
#include "greenkgc/context.h"
#include "kernels/sum_rows.h"

namespace greenkgc::decide {

// A node's gradients by entity or relation, or by row where that is cheaper: an id may occur more than once.
struct Entries {
  std::span<const std::uint32_t> ids;
  std::span<const GradientSums> sums;
};

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
    std::span<const GradientPair> of_rows;  // a row whose hessian is 0 does not count
    bool skip_left_out = false;             // worth it if there are many of those
  };
  // Moves the rows, too.
  void collect(std::span<const Wanted> wanted, const Gradients& gradients, const Context& context);
  // Of wanted[i] in the last collect; valid until the next one.
  Entries entries(std::size_t i, TriplePart part) const;

 private:
  struct ListedRow {
    std::array<std::uint32_t, model::kTripleParts> ids;
    GradientPair gradient;
  };
  struct Worker {
    RowRouter::Block block;
    std::vector<GradientSums> table;            // by key, then by column
    std::vector<std::vector<ListedRow>> lists;  // by wanted node
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
    void append(std::uint32_t id, const GradientSums& of_id) {
      ids[count] = id;
      sums[count++] = of_id;
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
  // Lists those chosen rows that are to be listed, and leaves the others that count.
  void list_rows(Worker& worker, std::size_t first, const Gradients& gradients) const;
  void merge_lists(std::size_t i, TriplePart part);
  // Of all nodes that have tables.
  void merge_tables(TriplePart part, std::size_t first_column, std::size_t end_column);

  const Samples& samples_;
  RowRouter& router_;
  const std::size_t table_bytes_;

  // Of the current batch.
  std::uint64_t slots_ = 0;                            // that are wanted
  std::uint64_t listed_slots_ = 0;                     // of these
  std::array<std::uint8_t, 256> wanted_of_ = {};       // by slot
  std::array<std::uint8_t, 256> column_of_slot_ = {};  // in the tables
  std::vector<std::size_t> wanted_of_column_;
  std::vector<Worker> workers_;
  std::vector<std::array<Merged, model::kTripleParts>> merged_;  // by wanted node
};

}  // namespace greenkgc::decide
