#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "graph/relation_ranges.h"
#include "tensors/narrow_tensor.h"
#include "tensors/safetensors.h"

namespace greenkgc::model {

// How many facts of each relation an entity has on one side, as tensors counts.SIDE, counts.SIDE.facts and
// counts.SIDE.offsets; the first two as NarrowTensor has them.
class CountTensors {
 public:
  explicit CountTensors(const graph::RelationRanges::Lists& lists);
  // The tensors live as long as this and the lists.
  void add_to(tensors::SafetensorsWriter& writer, const std::string& side) const;

 private:
  std::span<const std::uint64_t> offsets_;
  tensors::NarrowTensor entities_;
  tensors::NarrowTensor counts_;
};

// Long lists stay in the file. Throws kCorrupt, saying where, for what does not fit.
graph::RelationRanges::Lists read_counts(const std::shared_ptr<const tensors::SafetensorsFile>& file,
                                         const std::string& side, std::uint32_t entity_count,
                                         std::uint32_t relation_count);

}  // namespace greenkgc::model
