#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fact_trees.h"
#include "tensors/safetensors.h"
#include "trees/list_tree_tensors.h"

namespace greenkgc::model {

// Fact trees as tensors "fact.*" of a model file (docs/model_format.md).
class FactTreeTensors {
 public:
  explicit FactTreeTensors(const FactTrees& trees);
  // The tensors live as long as this.
  void add_to(tensors::SafetensorsWriter& writer) const;

 private:
  const FactTrees& trees_;
  trees::ListTreeTensors folds_;
  trees::ListTreeTensors queries_;
  const std::array<float, 6> curve_;  // FactTrees::ceiling, slope, offset and so on
  std::vector<std::uint64_t> fold_sizes_;
};

bool has_fact_trees(const tensors::SafetensorsFile& file);

// Of a model with so many relations. Throws kCorrupt for what does not fit together.
FactTrees read_fact_trees(const tensors::SafetensorsFile& file, std::uint32_t relations);

}  // namespace greenkgc::model
