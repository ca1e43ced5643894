#include "tensors/narrow_tensor.h"

#include <algorithm>

namespace greenkgc::tensors {
namespace {

TensorType type_of(const SafetensorsFile& file, const std::string& name) {
  const auto found = file.tensors().find(name);
  return found == file.tensors().end() ? TensorType::kU32 : found->second.type;
}

}  // namespace

NarrowTensor::NarrowTensor(const std::vector<std::uint32_t>& values, std::size_t most_copied) {
  const std::uint32_t largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  if (values.size() > most_copied)
    wide_ = values;
  else if (largest <= std::numeric_limits<std::uint8_t>::max())
    bytes_.assign(values.begin(), values.end());
  else if (largest <= std::numeric_limits<std::uint16_t>::max())
    words_.assign(values.begin(), values.end());
  else
    wide_ = values;
}

void NarrowTensor::add_to(SafetensorsWriter& writer, const std::string& name) const {
  if (!wide_.empty())
    writer.add(name, {wide_.size()}, std::span<const std::uint32_t>(wide_));
  else if (!words_.empty())
    writer.add(name, {words_.size()}, std::span<const std::uint16_t>(words_));
  else
    writer.add(name, {bytes_.size()}, std::span<const std::uint8_t>(bytes_));
}

std::vector<std::uint32_t> read_narrow(const SafetensorsFile& file, const std::string& name) {
  const auto widened = [](const auto& values) {
    return std::vector<std::uint32_t>(values.begin(), values.end());
  };
  switch (type_of(file, name)) {
    case TensorType::kU8:
      return widened(file.u8s(name, 1));
    case TensorType::kU16:
      return widened(file.u16s(name));
    default:
      return widened(file.u32s(name));
  }
}

WholeNumbers map_narrow(const std::shared_ptr<const SafetensorsFile>& file, const std::string& name) {
  if (type_of(*file, name) == TensorType::kU32) return {file->u32s(name), file};
  const auto values = std::make_shared<const std::vector<std::uint32_t>>(read_narrow(*file, name));
  return {*values, values};
}

}  // namespace greenkgc::tensors
