#include "rank/rankers/vector_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kEntities = 200;

features::BinnedTable random_table(std::size_t columns) {
  std::vector<std::vector<float>> values(columns, std::vector<float>(kEntities));
  std::uint32_t state = 1;
  for (auto& column : values) {
    for (float& value : column) {
      state = state * 1664525U + 1013904223U;
      value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    }
  }
  for (auto& column : values) column[7] = column[3];  // twins
  features::BinnedTable table(kEntities);
  table.fill(values, "entity", 256, {});
  return table;
}

double cosine(const features::BinnedTable& table, std::uint32_t a, std::uint32_t b) {
  double dot = 0;
  double squares[2] = {0, 0};
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const double x = table.levels(c)[table.bins(c)[a]];
    const double y = table.levels(c)[table.bins(c)[b]];
    dot += x * y;
    squares[0] += x * x;
    squares[1] += y * y;
  }
  return dot / std::sqrt(squares[0] * squares[1]);
}

TEST(VectorNeighbours, AreThoseOfTheLargestCosines) {
  const features::BinnedTable table = random_table(8);
  const VectorNeighbours neighbours(table);
  std::vector<evidence::NearEntity> near;
  for (const std::uint32_t e : {0U, 3U, 7U, 199U}) {
    neighbours.find(EntityId{e}, near);
    ASSERT_EQ(near.size(), VectorNeighbours::kNear);
    std::size_t nearer = 0;  // than the last, and not found
    for (std::uint32_t other = 0; other < kEntities; ++other) {
      const auto found = std::ranges::find(near, EntityId{other}, &evidence::NearEntity::entity);
      if (found != near.end())
        EXPECT_NEAR(found->weight, cosine(table, e, other), 0.02);
      else
        nearer += other != e && cosine(table, e, other) > near.back().weight + 0.02F ? 1 : 0;
    }
    EXPECT_EQ(nearer, 0U);
    for (std::size_t i = 1; i < near.size(); ++i) EXPECT_GE(near[i - 1].weight, near[i].weight);
  }
  neighbours.find(EntityId{3}, near);
  EXPECT_EQ(near[0].entity, EntityId{7});
  EXPECT_NEAR(near[0].weight, 1, 1e-5);
}

TEST(VectorNeighbours, ManyColumnsAreSampled) {
  const features::BinnedTable table = random_table(300);
  const VectorNeighbours neighbours(table);
  std::vector<evidence::NearEntity> near;
  neighbours.find(EntityId{7}, near);
  EXPECT_EQ(near[0].entity, EntityId{3});
}

TEST(VectorNeighbours, VectorsOfZerosHaveNone) {
  features::BinnedTable table(3);
  table.fill(std::vector<std::vector<float>>{{0, 0, 0}}, "entity", 256, {});
  std::vector<evidence::NearEntity> near = {{EntityId{1}, 1.0F}};
  VectorNeighbours(table).find(EntityId{0}, near);
  EXPECT_TRUE(near.empty());
}

}  // namespace
}  // namespace greenkgc::rank
