#pragma once

#include <span>
#include <string>
#include <vector>

#include "tensors/safetensors.h"
#include "trees/node_tensors.h"
#include "trees/trees.h"

namespace greenkgc::trees {

// Trees as tensors: trees.inner, trees.bins and trees.values as NodeTensors has them, and
//   trees.sizes    u8   nodes of each tree
//   trees.columns  u8   one per inner node: columns of heads, then of relations, then of tails; u16 if there
//                       are more than 256
//   trees.ends     u64  how many trees there are up to each ensemble's last one
//   trees.base     f32  the base margin of each ensemble
class TreeTensors {
 public:
  // Throws kUnsupported for more than 65,535 columns.
  TreeTensors(std::span<const TreeEnsemble* const> ensembles, const features::SideTables& tables);
  // The tensors live as long as this.
  void add_to(tensors::SafetensorsWriter& writer) const;

 private:
  void add(const Tree& tree, const features::SideTables& tables);

  const bool wide_;  // columns are u16
  NodeTensors nodes_;
  std::vector<std::uint8_t> sizes_;
  std::vector<std::uint8_t> columns_;
  std::vector<std::uint16_t> wide_columns_;
  std::vector<std::uint64_t> ends_;
  std::vector<float> base_;
};

// Throws kCorrupt for trees that are not of this form, or ask for a column or bin that the tables lack.
std::vector<TreeEnsemble> read_trees(const tensors::SafetensorsFile& file, const features::SideTables& tables,
                                     std::size_t ensembles);

}  // namespace greenkgc::trees
