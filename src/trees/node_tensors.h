#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tensors/safetensors.h"

namespace greenkgc::trees {

// The shapes of trees as tensors. Nodes stand level by level, so the children of a tree's k-th inner node are
// its nodes 2k + 1 and 2k + 2, and only inner nodes have a bin, only leaves a value:
//   inner   u8   a bit per node, the lowest of a byte first: 1 for an inner node
//   bins    u8   one per inner node
//   values  f32  one per leaf
// How many nodes a tree has, and what its inner nodes split by, is stored by who has the trees.
class NodeTensors {
 public:
  // Calls add_split(node) for each inner node, in the order of the file.
  template <class Tree, class AddSplit>
  void add(const Tree& tree, const AddSplit& add_split) {
    std::vector<std::size_t> order = {0};  // places in the tree, level by level
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& node = tree.nodes[order[i]];
      if (nodes_ % 8 == 0) inner_.push_back(0);
      const std::size_t bit = nodes_++ % 8;
      if (node.is_leaf()) {
        values_.push_back(node.value);
        continue;
      }
      inner_.back() = static_cast<std::uint8_t>(inner_.back() | 1U << bit);
      bins_.push_back(node.bin);
      add_split(node);
      order.push_back(node.left);
      order.push_back(std::size_t{node.left} + 1);
    }
  }

  const std::vector<std::uint8_t>& inner() const { return inner_; }
  const std::vector<std::uint8_t>& bins() const { return bins_; }
  const std::vector<float>& values() const { return values_; }

 private:
  std::size_t nodes_ = 0;
  std::vector<std::uint8_t> inner_;
  std::vector<std::uint8_t> bins_;
  std::vector<float> values_;
};

// Reads such trees one after another. Errors name the file, "tree 7" and `which`: " over candidates".
class NodeReader {
 public:
  NodeReader(const tensors::SafetensorsFile& file, const std::string& prefix, std::string which = "")
      : file_(file),
        which_(std::move(which)),
        inner_(file.u8s(prefix + "inner", 1)),
        bins_(file.u8s(prefix + "bins", 1)),
        values_(file.floats(prefix + "values", 1)) {}

  // make_split(k, bin) is the node of the k-th inner node of all trees.
  template <class Tree, class MakeSplit>
  Tree next(std::size_t size, std::size_t most_depth, const MakeSplit& make_split) {
    if (size == 0 || 8 * inner_.size() - node_ < size) fail("its nodes are missing");
    Tree tree;
    std::vector<std::uint8_t> depths = {0};
    for (std::size_t i = 0; i < size; ++i, ++node_) {
      if (i >= depths.size()) fail("some nodes have no parent");
      if ((inner_[node_ / 8] >> (node_ % 8) & 1) == 0) {
        if (leaf_ >= values_.size() || !std::isfinite(values_[leaf_])) fail("a leaf has no finite value");
        tree.nodes.emplace_back().value = values_[leaf_++];
        continue;
      }
      if (depths[i] == most_depth) fail(fmt::format("is deeper than {}", most_depth));
      if (split_ >= bins_.size()) fail("an inner node has no bin");
      tree.nodes.push_back(make_split(split_, bins_[split_]));
      ++split_;
      tree.nodes.back().left = static_cast<decltype(tree.nodes.back().left)>(depths.size());
      depths.insert(depths.end(), 2, static_cast<std::uint8_t>(depths[i] + 1));
    }
    if (depths.size() != size) fail("some nodes lack children");
    ++tree_;
    return tree;
  }

  // All has been read, and there were as many inner nodes as splits.
  void expect_end(std::size_t splits) const {
    if (inner_.size() != (node_ + 7) / 8 || split_ != splits || split_ != bins_.size() ||
        leaf_ != values_.size())
      file_.fail(fmt::format("the tensors of trees{} are longer than the trees", which_));
  }

  std::size_t trees() const { return tree_; }
  [[noreturn]] void fail(std::string_view what) const {
    file_.fail(fmt::format("tree {}{}: {}", tree_, which_, what));
  }

 private:
  const tensors::SafetensorsFile& file_;
  const std::string which_;
  std::span<const std::uint8_t> inner_;
  std::span<const std::uint8_t> bins_;
  std::span<const float> values_;
  // What has been read.
  std::size_t tree_ = 0;
  std::size_t node_ = 0;
  std::size_t split_ = 0;
  std::size_t leaf_ = 0;
};

}  // namespace greenkgc::trees
