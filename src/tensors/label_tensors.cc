#include "tensors/label_tensors.h"

#include <fmt/format.h>

#include <span>
#include <string_view>

namespace greenkgc::tensors {

LabelTensors::LabelTensors(const graph::Vocabulary& vocabulary) {
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view label = vocabulary.label(id);
    bytes_.insert(bytes_.end(), label.begin(), label.end());
    ends_.push_back(bytes_.size());
  }
}

void LabelTensors::add_to(SafetensorsWriter& writer, const std::string& what) const {
  writer.add(what + ".labels", {bytes_.size()}, std::span<const std::uint8_t>(bytes_));
  writer.add(what + ".label_ends", {ends_.size()}, std::span<const std::uint64_t>(ends_));
}

graph::Vocabulary read_labels(const SafetensorsFile& file, const std::string& what, std::uint64_t count) {
  const std::string_view bytes = file.text(what + ".labels");
  const auto ends = file.u64s(what + ".label_ends");
  if (ends.size() != count)
    file.fail(fmt::format("has {} rows of {}, but {} labels", count, what, ends.size()));
  graph::Vocabulary labels;
  std::uint64_t begin = 0;
  for (std::uint64_t row = 0; row < count; ++row) {
    if (ends[row] <= begin || ends[row] > bytes.size()) {
      file.fail(fmt::format("label {} of {} ends at byte {} of {}", row, what, ends[row], bytes.size()));
    }
    if (labels.intern(bytes.substr(begin, ends[row] - begin)) != row) {
      file.fail(fmt::format("label {} of {} occurs twice", row, what));
    }
    begin = ends[row];
  }
  return labels;
}

}  // namespace greenkgc::tensors
