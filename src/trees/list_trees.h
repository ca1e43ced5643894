#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trees/packed_tree.h"

namespace greenkgc::trees {

// Trees over rows of numbers: the candidates of a question, each with its features. As in BinnedTable, value
// x of a feature is in bin b where b of the feature's cuts are at most x.

// An inner node sends a row to nodes[left] if its bin in `feature` is at most `bin`, else to nodes[left + 1].
struct ListTreeNode {
  float value = 0;  // of a leaf: what it adds to the margin
  std::uint16_t feature = 0;
  std::uint16_t left = 0;  // 0: a leaf
  std::uint8_t bin = 0;

  friend bool operator==(const ListTreeNode&, const ListTreeNode&) = default;
  bool is_leaf() const { return left == 0; }
};

inline constexpr std::size_t kMostListDepth = 8;
inline constexpr std::size_t kMostListFeatures = 4096;

// The root is the first node; children stand behind their parents.
struct ListTree {
  std::vector<ListTreeNode> nodes;

  friend bool operator==(const ListTree&, const ListTree&) = default;
};

using FeatureCuts = std::vector<std::vector<float>>;  // by feature, ascending; at most kMostBins - 1 each

// The margin of a row is the sum of its leaves' values, one per tree.
struct ListTrees {
  std::vector<std::string> features;  // names, all different
  FeatureCuts cuts;
  std::vector<ListTree> trees;

  friend bool operator==(const ListTrees&, const ListTrees&) = default;
};

std::uint8_t bin_of(std::span<const float> cuts, float value);

// Of a row given as bins.
PackedTree<std::uint8_t> packed_for_bins(const ListTree& tree);

// List trees compiled for scoring. Immutable: const calls may run in several threads.
class ListScorer {
 public:
  ListScorer() = default;
  explicit ListScorer(const ListTrees& trees);

  // Adds to the margins of rows that stand one after another, each a finite value per feature. Leaf values
  // are added in float, in the order of the trees, whatever the number of rows. Bound by about three
  // operations per row, tree and level: 200 rows, 200 trees of depth 7:
  // docs/lab/second_stage.md.
  void add_values(std::span<const float> rows, std::span<float> margins) const;

  std::size_t features() const { return features_; }

 private:
  std::size_t features_ = 0;
  std::vector<PackedTree<float>> trees_;
};

}  // namespace greenkgc::trees
