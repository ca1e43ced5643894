#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "greenkgc/ids.h"
#include "tensors/narrow_tensor.h"
#include "tensors/safetensors.h"

namespace greenkgc::model {

// Facts as tensors, sorted by head, relation and tail, each once. NAME is "facts" for known facts and
// "negatives" for those that are known to be false:
//   NAME.offsets    u32  where the facts of each head begin, and the number of all
//   NAME.relations  of each fact, as NarrowTensor has it
//   NAME.tails      the same
class FactTensors {
 public:
  FactTensors(std::vector<Triple> facts, std::uint32_t entity_count);  // in any order
  // The tensors live as long as this. Without facts, nothing is added.
  void add_to(tensors::SafetensorsWriter& writer, const std::string& name) const;

 private:
  std::vector<std::uint32_t> offsets_;
  std::optional<tensors::NarrowTensor> relations_;
  std::optional<tensors::NarrowTensor> tails_;
};

// Facts in a mapped model file. They are not looked at before they are asked for: most of a model's
// bytes may be facts, and opening it should not wait for them. Copies share the file.
class FactSection {
 public:
  FactSection() = default;  // without facts
  FactSection(std::shared_ptr<const tensors::SafetensorsFile> file, std::string name,
              std::uint32_t entity_count, std::uint32_t relation_count);

  bool empty() const { return size() == 0; }
  std::size_t size() const;
  // Sorted by head, relation and tail, each once. Throws kCorrupt, saying where, for what does not fit.
  std::vector<Triple> read() const;

 private:
  std::shared_ptr<const tensors::SafetensorsFile> file_;
  std::string name_;
  std::uint32_t entity_count_ = 0;
  std::uint32_t relation_count_ = 0;
};

}  // namespace greenkgc::model
