#include "features/triple_variables.h"

#include <cmath>
#include <numbers>

namespace greenkgc::features {
namespace {

void copy_column(std::span<const float> table, std::size_t width, std::size_t column, std::size_t rows,
                 std::vector<float>& out) {
  out.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) out[row] = table[row * width + column];
}

}  // namespace

void TripleVariables::copy_dimension(std::size_t dim, DimensionColumns& columns) const {
  const kge::Embeddings& e = embeddings_;
  for (std::size_t v = 0; v < per_entity(); ++v) {
    copy_column(e.entities, e.entity_width(), v * e.dims + dim, e.entity_count, columns.entity[v]);
  }
  for (std::size_t v = 0; v < e.kge->relation_variables(); ++v) {
    copy_column(e.relations, e.relation_width(), v * e.dims + dim, e.relation_count, columns.relation[v]);
  }
  if (!phases_) return;
  if (two_per_phase_) columns.relation[1].resize(e.relation_count);
  for (std::size_t r = 0; r < e.relation_count; ++r) {
    const double phase = columns.relation[0][r];
    if (two_per_phase_) {
      columns.relation[0][r] = static_cast<float>(std::cos(phase));
      columns.relation[1][r] = static_cast<float>(std::sin(phase));
    } else {
      columns.relation[0][r] = static_cast<float>(std::remainder(phase, 2 * std::numbers::pi));
    }
  }
}

}  // namespace greenkgc::features
