#include "cli/table.h"

#include <algorithm>

#include "cli/display.h"

namespace greenkgc::cli {

namespace {

constexpr std::size_t kGap = 2;  // before each column
constexpr std::size_t kLongestLabel = 72;
constexpr std::size_t kReadableLabel = 24;  // shorter only if there is no optional column to leave out
constexpr std::size_t kShortestLabel = 8;

void append_cell(std::string& line, const Column& column, const std::string& cell, std::size_t width) {
  const std::string shown =
      column.kind == Column::Kind::kLabel ? printable_label(cell, width) : printable(cell, width);
  const std::string padding(width - std::min(width, display_width(shown)), ' ');
  const bool right = column.kind == Column::Kind::kNumber || column.kind == Column::Kind::kOptional;
  line += std::string(kGap, ' ') + (right ? padding + shown : shown + padding);
}

std::size_t excess(const std::vector<std::size_t>& widths, std::size_t available) {
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width > 0 ? width + kGap : 0;
  return total > available ? total - available : 0;
}

}  // namespace

// A width of 0 leaves the column out.
std::vector<std::size_t> Table::fitted_widths(std::size_t available) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t most = columns_[c].kind == Column::Kind::kLabel ? kLongestLabel : std::string::npos;
    std::size_t width = display_width(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, display_width(printable(row[c], most)));
    widths.push_back(width);
  }
  if (available == 0) return widths;
  std::vector<std::size_t> readable = widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].kind == Column::Kind::kLabel) readable[c] = std::min(widths[c], kReadableLabel);
  }
  for (std::size_t c = 0; c < columns_.size() && excess(readable, available) > 0; ++c) {
    if (columns_[c].kind == Column::Kind::kOptional) readable[c] = widths[c] = 0;
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].kind == Column::Kind::kLabel && widths[c] > kShortestLabel)
      widths[c] -= std::min(excess(widths, available), widths[c] - kShortestLabel);
  }
  return widths;
}

std::string Table::text(std::size_t available) const {
  const std::vector<std::size_t> widths = fitted_widths(available);
  const auto line_of = [&](const auto& cell_at) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (widths[c] > 0) append_cell(line, columns_[c], cell_at(c), widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
  };
  std::string out;
  const bool titled = std::any_of(columns_.begin(), columns_.end(),
                                  [](const Column& column) { return !column.title.empty(); });
  if (titled) out += line_of([&](std::size_t c) { return columns_[c].title; });
  for (const auto& row : rows_) out += line_of([&](std::size_t c) { return row[c]; });
  return out;
}

}  // namespace greenkgc::cli
