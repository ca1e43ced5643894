#include "tensors/label_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace greenkgc::tensors {

LabelTable::LabelTable(std::shared_ptr<const SafetensorsFile> file, const std::string& what,
                       std::uint64_t count)
    : file_(std::move(file)),
      bytes_(file_->text(what + ".labels")),
      ends_(file_->u64s(what + ".label_ends")),
      order_(file_->u32s(what + ".label_order")) {
  if (ends_.size() != count || order_.size() != count)
    file_->fail(fmt::format("has {} rows of {}, but {} labels, {} of them in order", count, what,
                            ends_.size(), order_.size()));
  std::uint64_t begin = 0;
  for (std::uint64_t id = 0; id < count; ++id) {
    if (ends_[id] <= begin || ends_[id] > bytes_.size())
      file_->fail(fmt::format("label {} of {} ends at byte {} of {}", id, what, ends_[id], bytes_.size()));
    begin = ends_[id];
  }
  for (std::uint64_t place = 0; place < count; ++place) {
    if (order_[place] >= count)
      file_->fail(fmt::format("tensor {}.label_order, number {}: {} must be below {}", what, place,
                              order_[place], count));
  }
}

std::optional<std::uint32_t> LabelTable::find(std::string_view wanted) const {
  const auto found =
      std::lower_bound(order_.begin(), order_.end(), wanted,
                       [&](std::uint32_t id, std::string_view text) { return label(id) < text; });
  if (found == order_.end() || label(*found) != wanted) return std::nullopt;
  return *found;
}

std::vector<std::uint32_t> label_order(const graph::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> order(vocabulary.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return vocabulary.label(a) < vocabulary.label(b); });
  return order;
}

}  // namespace greenkgc::tensors
