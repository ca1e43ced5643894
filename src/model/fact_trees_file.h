#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fact_trees.h"
#include "model/list_tree_tensors.h"
#include "model/safetensors.h"

namespace greenkgc::model {

// Fact trees as tensors "fact.*" of a model file (docs/model_format.md).
class FactTreeTensors {
 public:
  explicit FactTreeTensors(const FactTrees& trees);
  // The tensors live as long as this.
  void add_to(SafetensorsWriter& writer) const;

 private:
  const FactTrees& trees_;
  ListTreeTensors folds_;
  ListTreeTensors queries_;
  const std::array<float, 6> curve_;  // FactTrees::ceiling, slope, offset and so on
  std::vector<std::uint64_t> fold_sizes_;
};

bool has_fact_trees(const SafetensorsFile& file);

// Of a model with so many relations. Throws kCorrupt for what does not fit together.
FactTrees read_fact_trees(const SafetensorsFile& file, std::uint32_t relations);

}  // namespace greenkgc::model
