#include "model/decisions.h"

namespace greenkgc::model {

std::vector<float> restored_rows(const features::BinnedTable& table) {
  const std::size_t width = table.columns();
  std::vector<float> rows(table.rows() * width);
  for (std::size_t c = 0; c < width; ++c) {
    const auto bins = table.bins(c);
    const auto levels = table.levels(c);
    for (std::size_t row = 0; row < bins.size(); ++row) rows[row * width + c] = levels[bins[row]];
  }
  return rows;
}

}  // namespace greenkgc::model
