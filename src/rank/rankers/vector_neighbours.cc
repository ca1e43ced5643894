#include "rank/rankers/vector_neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/top_k.h"
#include "simd/vector/byte_products.h"

namespace greenkgc::rank {
namespace {

float largest_level(const features::BinnedTable& table) {
  float largest = 0;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    for (const float level : table.levels(c)) largest = std::max(largest, std::abs(level));
  }
  return largest;
}

struct IsNearer {
  bool operator()(const evidence::NearEntity& a, const evidence::NearEntity& b) const {
    return a.weight != b.weight ? a.weight > b.weight : a.entity < b.entity;
  }
};

}  // namespace

VectorNeighbours::VectorNeighbours(const features::BinnedTable& entities) {
  const float largest = largest_level(entities);
  if (entities.rows() > kMostEntities || largest == 0) return;
  rows_ = entities.rows();
  values_.resize(std::size_t{rows_} * kColumns);
  const std::size_t columns = std::min(entities.columns(), kColumns);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t from = c * entities.columns() / columns;
    std::vector<std::int8_t> of_bin;
    for (const float level : entities.levels(from))
      of_bin.push_back(static_cast<std::int8_t>(std::lround(level / largest * 127)));
    const auto bins = entities.bins(from);
    for (std::uint32_t e = 0; e < rows_; ++e) values_[e * kColumns + c] = of_bin[bins[e]];
  }
  for (std::uint32_t e = 0; e < rows_; ++e) {
    std::int32_t square;
    simd::byte_products(row(e), row(e).data(), {&square, 1});
    scales_.push_back(square == 0 ? 0 : 1 / std::sqrt(static_cast<float>(square)));
  }
}

void VectorNeighbours::find(EntityId entity, std::vector<evidence::NearEntity>& near) const {
  near.clear();
  if (rows_ == 0) return;
  const float scale = scales_[index(entity)];
  TopK<evidence::NearEntity, IsNearer> nearest(kNear);
  float least = 0;  // lower ids come first, so of equal cosines those that are here already are nearer
  const auto add = [&](std::uint32_t e, float cosine) {
    if (cosine <= least || EntityId{e} == entity) return;
    nearest.add({EntityId{e}, cosine});
    if (const auto* farthest = nearest.threshold()) least = farthest->weight;
  };
  std::array<std::int32_t, 256> products;
  for (std::uint32_t first = 0; first < rows_; first += products.size()) {
    const std::size_t count = std::min<std::size_t>(products.size(), rows_ - first);
    simd::byte_products(row(index(entity)), row(first).data(), {products.data(), count});
    for (std::uint32_t i = 0; i < count; ++i)
      add(first + i, static_cast<float>(products[i]) * scale * scales_[first + i]);
  }
  near = std::move(nearest).sorted();
}

}  // namespace greenkgc::rank
