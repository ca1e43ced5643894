#include "features/binned_table_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tensors/check_tensors.h"

namespace greenkgc::features {
namespace {

std::vector<BinnedTable::Column> read_columns(const tensors::SafetensorsFile& file, const std::string& what,
                                              std::span<const std::uint8_t> bins, std::uint64_t columns,
                                              std::uint64_t rows) {
  const auto ends = file.u64s(what + ".bin_ends");
  const auto cuts = file.floats(what + ".cuts", 1);
  const auto levels = file.floats(what + ".levels", 1);
  tensors::expect_shape(file, what + ".bin_ends", {ends.size()}, {columns});
  tensors::check_finite(file, cuts, 1, what + ".cuts");
  tensors::check_finite(file, levels, 1, what + ".levels");
  std::vector<BinnedTable::Column> result(columns);
  std::uint64_t begin = 0;
  for (std::uint64_t c = 0; c < columns; ++c) {
    const auto wrong = [&](std::string_view is) {
      file.fail(fmt::format("column {} of {}: {}", c, what, is));
    };
    if (ends[c] <= begin || ends[c] > levels.size() || ends[c] - begin > kMostBins ||
        ends[c] - c - 1 > cuts.size())
      wrong("its bins are missing");
    const std::uint64_t count = ends[c] - begin;
    const auto own_cuts = cuts.subspan(begin - c, count - 1);
    const auto own_levels = levels.subspan(begin, count);
    if (!std::is_sorted(own_cuts.begin(), own_cuts.end())) wrong("its cuts are not in ascending order");
    const auto own_bins = bins.subspan(c * rows, rows);
    if (*std::max_element(own_bins.begin(), own_bins.end()) >= count) wrong("a bin is out of range");
    result[c] = {{own_cuts.begin(), own_cuts.end()}, {own_levels.begin(), own_levels.end()}};
    begin = ends[c];
  }
  if (begin != levels.size() || begin - columns != cuts.size())
    file.fail(fmt::format("has more levels or cuts of {} than its columns use", what));
  return result;
}

}  // namespace

BinnedTableTensors::BinnedTableTensors(const BinnedTable& table) : table_(table) {
  for (std::size_t c = 0; c < table.columns(); ++c) {
    cuts_.insert(cuts_.end(), table.cuts(c).begin(), table.cuts(c).end());
    levels_.insert(levels_.end(), table.levels(c).begin(), table.levels(c).end());
    bin_ends_.push_back(levels_.size());
  }
}

void BinnedTableTensors::add_to(tensors::SafetensorsWriter& writer, const std::string& what) const {
  const std::size_t cells = table_.columns() * table_.rows();
  writer.add(what + ".bins", {table_.columns(), table_.rows()},
             std::span(cells > 0 ? table_.bins(0).data() : nullptr, cells));
  writer.add(what + ".bin_ends", {bin_ends_.size()}, std::span<const std::uint64_t>(bin_ends_));
  writer.add(what + ".cuts", {cuts_.size()}, std::span<const float>(cuts_));
  writer.add(what + ".levels", {levels_.size()}, std::span<const float>(levels_));
}

BinnedTable read_binned_table(const std::shared_ptr<const tensors::SafetensorsFile>& file,
                              const std::string& what) {
  const tensors::Tensor& bins = file->tensor(what + ".bins", tensors::TensorType::kU8, 2);
  const std::uint64_t columns = bins.shape[0];
  const std::uint64_t rows = bins.shape[1];
  if (rows == 0 || rows >= kMaxIds || columns == 0)
    file->fail(fmt::format("has a table of {} rows and {} columns of {}", rows, columns, what));
  const auto values = file->u8s(what + ".bins", 2);
  const std::shared_ptr<const std::uint8_t[]> mapped(file, values.data());
  return {static_cast<std::uint32_t>(rows), read_columns(*file, what, values, columns, rows), mapped};
}

}  // namespace greenkgc::features
