#pragma once

#include <cstdint>
#include <vector>

#include "features/binned_table.h"
#include "greenkgc/ids.h"

namespace greenkgc::trees {

// A feature of a triple: a column of the table that one of its parts is looked up in.
struct TripleColumn {
  features::TriplePart part = features::TriplePart::kHead;
  std::uint32_t variable = 0;

  friend auto operator<=>(const TripleColumn&, const TripleColumn&) = default;
};

// An inner node sends a triple to nodes[left] if its bin in `column` is at most `bin`, which is the same as
// its value being below `threshold`; else to nodes[left + 1].
struct TreeNode {
  TripleColumn column;
  float threshold = 0;
  float value = 0;  // of a leaf: what it adds to the margin
  std::uint8_t bin = 0;
  std::uint8_t left = 0;  // 0: a leaf

  friend bool operator==(const TreeNode&, const TreeNode&) = default;
  bool is_leaf() const { return left == 0; }
};

inline constexpr std::size_t kMostTreeDepth = 7;  // so that a node's number fits a byte

// The root is the first node; children stand behind their parents.
struct Tree {
  std::vector<TreeNode> nodes;

  friend bool operator==(const Tree&, const Tree&) = default;
};

// The margin (log-odds) of a triple is the base margin plus the values of its leaves, one per tree.
struct TreeEnsemble {
  double base_margin = 0;
  std::vector<Tree> trees;
};

// The leaf that a triple falls into. Ids are below the sizes of the tables that the tree was grown on.
std::uint8_t leaf_of(const Tree& tree, const features::SideTables& tables, const Triple& triple);

double margin_of(const TreeEnsemble& ensemble, const features::SideTables& tables, const Triple& triple);

}  // namespace greenkgc::trees
