#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evidence/family.h"
#include "model/decisions.h"
#include "simd/vector/byte_products.h"

namespace greenkgc::rank {

// Which entities are alike by the first stage's vectors: the largest cosines over at most 64 of their
// numbers, spread evenly, as whole numbers of 8 bits; so the same on every machine. 64 bytes and 4 per
// entity; none are near where the graph has more than kMostEntities, since every question compares with all
// of them. Immutable.
class VectorNeighbours {
 public:
  static constexpr std::uint32_t kMostEntities = 500'000;
  static constexpr std::size_t kNear = 40;

  explicit VectorNeighbours(const features::BinnedTable& entities);

  // Replaces `near` by the nearest of an entity, nearest first, lower ids first among equals; their weights
  // are the cosines, above 0.
  void find(EntityId entity, std::vector<evidence::NearEntity>& near) const;

 private:
  static constexpr std::size_t kColumns = simd::kByteGranule;

  std::span<const std::int8_t> row(std::uint32_t entity) const {
    return std::span(values_).subspan(std::size_t{entity} * kColumns, kColumns);
  }

  std::uint32_t rows_ = 0;
  std::vector<std::int8_t> values_;  // row by row, 0 behind the last column
  std::vector<float> scales_;        // by row: 1 / length, 0 for none
};

}  // namespace greenkgc::rank
