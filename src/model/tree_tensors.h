#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "model/trees.h"

namespace greenkgc::model {

// Trees as tensors. Nodes stand level by level, so the children of the k-th inner node are nodes 2k + 1 and
// 2k + 2, and only inner nodes have a column and a bin, only leaves a value:
//   trees.inner    u8   a bit per node, the lowest of a byte first: 1 for an inner node
//   trees.sizes    u8   nodes of each tree
//   trees.columns  u8   one per inner node: columns of heads, then of relations, then of tails; u16 if there
//                       are more than 256
//   trees.bins     u8   one per inner node
//   trees.values   f32  one per leaf
//   trees.ends     u64  how many trees there are up to each ensemble's last one
//   trees.base     f32  the base margin of each ensemble
class TreeTensors {
 public:
  // Throws kUnsupported for more than 65,535 columns.
  TreeTensors(std::span<const TreeEnsemble* const> ensembles, const SideTables& tables);
  // The tensors live as long as this.
  void add_to(SafetensorsWriter& writer) const;

 private:
  void add(const Tree& tree, const SideTables& tables);

  const bool wide_;  // columns are u16
  std::size_t nodes_ = 0;
  std::vector<std::uint8_t> inner_;
  std::vector<std::uint8_t> sizes_;
  std::vector<std::uint8_t> columns_;
  std::vector<std::uint16_t> wide_columns_;
  std::vector<std::uint8_t> bins_;
  std::vector<float> values_;
  std::vector<std::uint64_t> ends_;
  std::vector<float> base_;
};

// Throws kCorrupt for trees that are not of this form, or ask for a column or bin that the tables lack.
std::vector<TreeEnsemble> read_trees(const SafetensorsFile& file, const SideTables& tables,
                                     std::size_t ensembles);

}  // namespace greenkgc::model
