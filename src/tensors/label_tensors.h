#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/vocabulary.h"
#include "tensors/safetensors.h"

namespace greenkgc::tensors {

// Labels one after another, and where each ends: tensors "WHAT.labels" and "WHAT.label_ends".
class LabelTensors {
 public:
  explicit LabelTensors(const graph::Vocabulary& vocabulary);
  // The tensors live as long as this.
  void add_to(SafetensorsWriter& writer, const std::string& what) const;

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> ends_;
};
// Throws kCorrupt unless there are `count` labels, all different.
graph::Vocabulary read_labels(const SafetensorsFile& file, const std::string& what, std::uint64_t count);

}  // namespace greenkgc::tensors
