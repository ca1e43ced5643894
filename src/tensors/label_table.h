#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/vocabulary.h"
#include "tensors/safetensors.h"

namespace greenkgc::tensors {

// Labels of entities or relations as they stand in a mapped file: nothing is copied when it is opened.
// Immutable; copies share the file.
class LabelTable {
 public:
  LabelTable() = default;
  // Tensors "WHAT.labels", "WHAT.label_ends" (label_tensors.h) and "WHAT.label_order": ids in the order
  // of their labels' bytes. Throws kCorrupt unless there are `count` labels and ids. The order itself is
  // believed, for comparing millions of labels would take longer than all else: labels in a wrong order
  // are not found.
  LabelTable(std::shared_ptr<const SafetensorsFile> file, const std::string& what, std::uint64_t count);

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  std::string_view label(std::uint32_t id) const {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return bytes_.substr(begin, ends_[id] - begin);
  }
  std::optional<std::uint32_t> find(std::string_view label) const;  // by binary search
  // Ids in the order of their labels' bytes: those with a common beginning stand together.
  std::span<const std::uint32_t> in_order() const { return order_; }

 private:
  std::shared_ptr<const SafetensorsFile> file_;
  std::string_view bytes_;
  std::span<const std::uint64_t> ends_;
  std::span<const std::uint32_t> order_;
};

// What "WHAT.label_order" holds.
std::vector<std::uint32_t> label_order(const graph::Vocabulary& vocabulary);

}  // namespace greenkgc::tensors
