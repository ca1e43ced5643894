#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/fact_trees_file.h"
#include "model/second_stage.h"
#include "tensors/narrow_tensor.h"
#include "tensors/safetensors.h"
#include "trees/list_tree_tensors.h"

namespace greenkgc::model {

// The second stage as tensors "second.*" of a model file (docs/model_format.md).
class SecondStageTensors {
 public:
  explicit SecondStageTensors(const SecondStage& stage);
  // The tensors live as long as this.
  void add_to(tensors::SafetensorsWriter& writer) const;

 private:
  void add_rules(const std::vector<PathRule>& rules);
  void add_walks(const std::vector<evidence::WalkStep>& walks);

  const SecondStage& stage_;
  trees::ListTreeTensors trees_;
  std::optional<FactTreeTensors> fact_trees_;
  std::vector<std::uint8_t> rule_lengths_;
  std::optional<tensors::NarrowTensor> rule_heads_;
  std::optional<tensors::NarrowTensor> rule_steps_;
  std::optional<tensors::NarrowTensor> rule_counts_;
  std::vector<std::uint8_t> walk_places_;
  std::optional<tensors::NarrowTensor> walk_heads_;  // none where there are no walks
  std::optional<tensors::NarrowTensor> walk_steps_;
  std::optional<tensors::NarrowTensor> walk_weights_;
  std::vector<std::uint8_t> evidence_;  // a bit per fact
};

bool has_second_stage(const tensors::SafetensorsFile& file);

// Of a model with so many relations and facts. Throws kCorrupt, saying where, for what does not fit together:
// whatever a file holds, features, bins and relations that come out of it are in range.
SecondStage read_second_stage(const tensors::SafetensorsFile& file, std::uint32_t relations,
                              std::size_t facts);

}  // namespace greenkgc::model
