#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensors/safetensors.h"

namespace greenkgc::tensors {

// Whole numbers as a tensor of U8, U16 or U32: the fewest bytes that the largest of them fits in.
class NarrowTensor {
 public:
  // More than `most_copied` are U32 in any case, so that a reader can map them.
  explicit NarrowTensor(const std::vector<std::uint32_t>& values,
                        std::size_t most_copied = std::numeric_limits<std::size_t>::max());
  // Lives as long as this.
  void add_to(SafetensorsWriter& writer, const std::string& name) const;

 private:
  // One of them has the values.
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint16_t> words_;
  std::vector<std::uint32_t> wide_;
};

// Throws as SafetensorsFile does where it is none of the three.
std::vector<std::uint32_t> read_narrow(const SafetensorsFile& file, const std::string& name);

// The same without a copy where the tensor is U32.
struct WholeNumbers {
  std::span<const std::uint32_t> values;
  std::shared_ptr<const void> owner;  // of what the span shows
};
WholeNumbers map_narrow(const std::shared_ptr<const SafetensorsFile>& file, const std::string& name);

}  // namespace greenkgc::tensors
