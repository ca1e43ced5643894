#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "trees/train/histograms.h"
#include "trees/train/node_sums.h"
#include "trees/train/row_router.h"
#include "trees/train/samples.h"
#include "trees/train/split.h"
#include "trees/trees.h"

namespace greenkgc::trees {

struct GrowthRule {
  SplitRule split;
  std::size_t depth = 5;                             // up to trees::kMostTreeDepth
  double shrinkage = 1;                              // what leaf values are multiplied by
  std::size_t table_bytes = std::size_t{512} << 20;  // for NodeSums; less: more passes over the rows
};

// Grows trees over triples whose features are look-ups, level by level (factorised boosting,
// docs/decisions.md). Per level: one pass over the rows (NodeSums), then for each pair of siblings the
// histograms of the smaller one from those sums, of the other by subtraction. A tree costs O(depth * rows +
// nodes * entities * features), and no more than O(rows * features) for nodes of few rows. Memory is 5 bytes
// per row and 12 per run of them (see RowRuns), the tables of NodeSums, and a histogram per node of a level
// but the last. The result is the same for any number of threads.
class TreeGrower {
 public:
  // Keeps references. Ids of the samples are below the sizes of the tables. Throws kUnsupported for more
  // entities than RowRoutes can tell apart (2^25).
  TreeGrower(const features::SideTables& tables, const Samples& samples, const GrowthRule& rule);

  // One gradient per sample; samples with hessian 0 are left out. Columns in ascending order.
  // When the tree is grown, on_settled is called for rows [begin, end) as soon as their leaves are known, by
  // several threads, for each row once; the gradients are no longer needed then.
  using RowsSettled = std::function<void(const trees::Tree&, std::size_t begin, std::size_t end)>;
  trees::Tree grow(std::span<const simd::GradientPair> gradients,
                   std::span<const trees::TripleColumn> columns, const Context& context,
                   const RowsSettled& on_settled = {});

  // The leaf of each sample in the last tree, whether or not it was left out.
  std::span<const std::uint8_t> leaves() const { return router_.slots(); }

 private:
  // A node of the tree's current level that may still be split.
  struct Open {
    std::uint8_t node;
    std::uint8_t slot;  // see RowRouter
    simd::GradientSums sums;
    double rows;                    // about
    std::size_t histogram = kNone;  // in histograms_; kNone: not kept
    NodeSplit split = {};
  };
  struct Pair {
    std::size_t smaller;  // in the list of open nodes
    std::size_t other;    // the sibling, whose histogram now is the parent's; kNone for the root
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void start(std::span<const trees::TripleColumn> columns, const Context& context);
  float value_of(const simd::GradientSums& sums) const;
  // The sum of all gradients; the sums by key are left in sums_. `rows`: about how many count.
  simd::GradientSums collect_root(double rows, const NodeSums::Gradients& gradients, const Context& context);
  // The pairs are those of the open nodes. Of the last level, histograms are not kept.
  void find_splits(std::vector<Open>& open, std::span<const Pair> pairs, bool last_level,
                   const NodeSums::Gradients& gradients, const Context& context);
  void find_batch_splits(std::vector<Open>& open, std::span<const Pair> pairs, const Context& context);
  std::vector<SiblingScan> scans_of(const std::vector<Open>& open, std::span<const Pair> pairs,
                                    std::span<const std::size_t> chosen);
  void split_nodes(std::vector<Open>& open, const Context& context);
  std::vector<Open> open_children(const std::vector<Open>& parents, std::vector<Pair>& pairs);
  std::size_t take_histogram();

  const features::SideTables& tables_;
  const GrowthRule rule_;
  RowRouter router_;
  NodeSums sums_;

  // Of the tree that grows.
  ColumnPlan plan_;
  trees::Tree tree_;
  std::array<std::uint8_t, 256> node_of_slot_ = {};  // of the level that rows are at or move to
  std::vector<Histogram> histograms_;
  std::vector<std::size_t> free_histograms_;
};

}  // namespace greenkgc::trees
