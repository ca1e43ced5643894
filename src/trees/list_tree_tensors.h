#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/vocabulary.h"
#include "tensors/label_tensors.h"
#include "tensors/safetensors.h"
#include "trees/list_trees.h"
#include "trees/node_tensors.h"

namespace greenkgc::trees {

// List trees as tensors, with a prefix before each name:
//   features.labels, features.label_ends   the names of the features
//   cuts       f32  of feature after feature, ascending
//   cut_ends   u64  one per feature
//   trees.sizes     u16  nodes of each tree
//   trees.inner, trees.bins, trees.values  as NodeTensors has them
//   trees.features  u16  one per inner node
class ListTreeTensors {
 public:
  ListTreeTensors(std::string prefix, const std::vector<std::string>& features, const FeatureCuts& cuts);
  void add(const std::vector<ListTree>& trees);
  // The tensors live as long as this.
  void add_to(tensors::SafetensorsWriter& writer) const;

 private:
  const std::string prefix_;
  graph::Vocabulary names_;
  std::optional<tensors::LabelTensors> name_tensors_;
  std::vector<float> cuts_;
  std::vector<std::uint64_t> cut_ends_;
  std::vector<std::uint16_t> sizes_;
  NodeTensors nodes_;
  std::vector<std::uint16_t> features_;
};

// Throws kCorrupt for tensors that do not fit together. Errors say which trees are meant: " over candidates".
ListTrees read_list_trees(const tensors::SafetensorsFile& file, const std::string& prefix,
                          const std::string& which);

}  // namespace greenkgc::trees
