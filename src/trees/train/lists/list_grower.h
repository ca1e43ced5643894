#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "simd/trees/logistic_gradients.h"
#include "trees/list_trees.h"
#include "trees/train/lists/lists.h"
#include "trees/train/split.h"

namespace greenkgc::trees {

// Grows one tree after another over the same rows, level by level, by histograms of gradients; those of the
// larger of two siblings are what is left of their parent's. The same tree for any number of threads.
// Memory: 16 bytes and one for each column per row that a tree is grown on, and 16 per bin of each column and
// open node.
class ListGrower {
 public:
  struct Rule {
    SplitRule split;
    std::size_t depth;  // 1 to trees::kMostListDepth
    double shrinkage;   // of leaf values
  };
  // Keeps references. The lists have fewer than 2^32 rows.
  ListGrower(const Lists& lists, const trees::FeatureCuts& cuts, const Rule& rule);

  // On these rows, ascending; one gradient per row of the lists. `columns` are the features that the tree may
  // ask for, ascending.
  trees::ListTree grow(std::span<const simd::GradientPair> gradients, std::span<const std::uint32_t> rows,
                       std::span<const std::uint16_t> columns, const Context& context);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  using Histogram = std::vector<simd::GradientSums>;

  struct Column {
    std::uint16_t feature;
    std::size_t offset;  // of its first bin in a histogram
    std::size_t bins;
  };
  // A node that may be split.
  struct Open {
    std::uint16_t node;
    std::size_t begin;  // its places in rows_
    std::size_t end;
    simd::GradientSums sums;
    std::size_t histogram = kNone;
    NodeSplit split = {};
  };
  // Siblings, by their places among the open nodes; the root has none.
  struct Pair {
    std::size_t smaller;
    std::size_t larger = kNone;
  };

  // Some rows of an open node, and where those go that are not above its split, and the others.
  struct Piece {
    const Open* node;
    std::size_t begin;
    std::size_t end;
    std::size_t left = 0;
    std::size_t right = 0;
  };

  void plan_columns(std::span<const std::uint16_t> features);
  void copy_rows(std::span<const simd::GradientPair> gradients, std::span<const std::uint32_t> rows,
                 const Context& context);
  simd::GradientSums sum_all() const;
  void find_splits(std::span<const Pair> pairs, std::vector<Open>& open, const Context& context);
  // Of columns begin, begin + 1, ..., at most kColumnsAtOnce.
  void fill(const Open& node, std::size_t begin);
  void scan(std::size_t begin, const Open& node, NodeSplit& best) const;
  std::vector<Open> split_nodes(std::vector<Open>& open, bool last_level, std::vector<Pair>& pairs,
                                const Context& context);
  // Where the rows of each node's right child begin.
  std::vector<std::size_t> divide_rows(std::span<const Open> open, const Context& context);
  bool goes_right(const Open& node, std::uint32_t row) const {
    return bins_[row * columns_.size() + node.split.column] > node.split.bin;
  }
  bool may_split(const Open& node) const;
  std::size_t take_histogram();
  float value_of(const simd::GradientSums& sums) const;

  const Lists& lists_;
  const trees::FeatureCuts& cuts_;
  const Rule rule_;
  std::vector<Column> columns_;
  std::size_t total_bins_ = 0;
  // Copies of the rows that this tree is grown on, for every level reads them: a byte for each column.
  std::vector<std::uint8_t> bins_;
  std::vector<simd::GradientPair> gradients_;
  std::vector<std::uint32_t> rows_;  // of the copies; those of a node stand together, ascending
  std::vector<std::uint32_t> aside_;
  std::vector<Histogram> histograms_;
  std::vector<std::size_t> free_histograms_;
  trees::ListTree tree_;
};

}  // namespace greenkgc::trees
