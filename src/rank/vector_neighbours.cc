#include "rank/vector_neighbours.h"

#include <algorithm>
#include <cmath>

namespace greenkgc::rank {
namespace {

std::int32_t product(const std::int8_t* a, const std::int8_t* b, std::size_t n) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
  return sum;
}

float largest_level(const model::BinnedTable& table) {
  float largest = 0;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    for (const float level : table.levels(c)) largest = std::max(largest, std::abs(level));
  }
  return largest;
}

}  // namespace

VectorNeighbours::VectorNeighbours(const model::BinnedTable& entities) {
  const float largest = largest_level(entities);
  if (entities.rows() > kMostEntities || largest == 0) return;
  rows_ = entities.rows();
  columns_ = std::min(entities.columns(), kMostColumns);
  values_.resize(rows_ * columns_);
  for (std::size_t c = 0; c < columns_; ++c) {
    const std::size_t from = c * entities.columns() / columns_;
    std::vector<std::int8_t> of_bin;
    for (const float level : entities.levels(from))
      of_bin.push_back(static_cast<std::int8_t>(std::lround(level / largest * 127)));
    const auto bins = entities.bins(from);
    for (std::uint32_t e = 0; e < rows_; ++e) values_[e * columns_ + c] = of_bin[bins[e]];
  }
  for (std::uint32_t e = 0; e < rows_; ++e) {
    const std::int8_t* row = values_.data() + e * columns_;
    const std::int32_t square = product(row, row, columns_);
    scales_.push_back(square == 0 ? 0 : 1 / std::sqrt(static_cast<float>(square)));
  }
}

void VectorNeighbours::find(EntityId entity, std::vector<structure::NearEntity>& near) const {
  near.clear();
  if (rows_ == 0) return;
  const std::int8_t* own = values_.data() + index(entity) * columns_;
  const float scale = scales_[index(entity)];
  const auto nearer = [](const structure::NearEntity& a, const structure::NearEntity& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.entity < b.entity;
  };
  // Kept as a heap with the farthest on top.
  for (std::uint32_t e = 0; e < rows_; ++e) {
    const auto dot = static_cast<float>(product(own, values_.data() + e * columns_, columns_));
    const float cosine = dot * scale * scales_[e];
    if (cosine <= 0 || EntityId{e} == entity) continue;
    if (near.size() == kNear) {
      if (cosine <= near.front().weight) continue;
      std::pop_heap(near.begin(), near.end(), nearer);
      near.pop_back();
    }
    near.push_back({EntityId{e}, cosine});
    std::push_heap(near.begin(), near.end(), nearer);
  }
  std::sort_heap(near.begin(), near.end(), nearer);
}

}  // namespace greenkgc::rank
