#include "trees/list_trees.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace greenkgc::trees {
namespace {

constexpr std::size_t kRowsAtOnce = 64;  // their features stay in the first-level cache

std::size_t depth_of(const ListTree& tree) {
  std::vector<std::size_t> depths(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].is_leaf()) continue;
    const std::size_t left = tree.nodes[i].left;
    depths[left] = depths[left + 1] = depths[i] + 1;
  }
  return *std::max_element(depths.begin(), depths.end());
}

// Node i of the tree has its place in a full tree; a leaf above the last level has two children, of which
// the left one is the leaf again.
template <class Value, class LimitOf>
PackedTree<Value> packed(const ListTree& tree, const LimitOf& limit_of) {
  using Split = typename PackedTree<Value>::Split;
  const std::size_t depth = depth_of(tree);
  const std::size_t inner = (std::size_t{1} << depth) - 1;
  std::vector<Split> splits(inner, {std::numeric_limits<Value>::max(), 0});
  std::vector<float> values(inner + 1);
  std::vector<std::uint16_t> node_at(2 * inner + 1);
  for (std::size_t place = 0; place < node_at.size(); ++place) {
    const ListTreeNode& node = tree.nodes[node_at[place]];
    if (place >= inner) {
      values[place - inner] = node.value;
      continue;
    }
    if (!node.is_leaf()) splits[place] = {limit_of(node), node.feature};
    node_at[2 * place + 1] = node.is_leaf() ? node_at[place] : node.left;
    node_at[2 * place + 2] = node.is_leaf() ? node_at[place] : static_cast<std::uint16_t>(node.left + 1);
  }
  return {depth, std::move(splits), std::move(values)};
}

}  // namespace

std::uint8_t bin_of(std::span<const float> cuts, float value) {
  return static_cast<std::uint8_t>(std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
}

PackedTree<std::uint8_t> packed_for_bins(const ListTree& tree) {
  return packed<std::uint8_t>(tree, [](const ListTreeNode& node) { return node.bin; });
}

ListScorer::ListScorer(const ListTrees& trees) : features_(trees.features.size()) {
  // x is at least the cut: x is above what comes before the cut.
  const auto limit_of = [&](const ListTreeNode& node) {
    return std::nextafter(trees.cuts[node.feature][node.bin], -std::numeric_limits<float>::infinity());
  };
  trees_.reserve(trees.trees.size());
  for (const ListTree& tree : trees.trees) trees_.push_back(packed<float>(tree, limit_of));
}

void ListScorer::add_values(std::span<const float> rows, std::span<float> margins) const {
  for (std::size_t begin = 0; begin < margins.size(); begin += kRowsAtOnce) {
    const std::span own = margins.subspan(begin, std::min(kRowsAtOnce, margins.size() - begin));
    for (const PackedTree<float>& tree : trees_)
      tree.add_values(rows.data() + begin * features_, features_, own);
  }
}

}  // namespace greenkgc::trees
