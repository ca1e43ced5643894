#include "answers/near_entities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/decisions.h"
#include "support/random_decisions.h"

namespace greenkgc::answers {
namespace {

constexpr rank::DecisionsSize kSize = {.entities = 5000, .relations = 4, .dims = 3};

model::Decisions decisions_with_groups() {
  model::Decisions decisions = rank::RandomDecisions(kSize).make();
  decisions.embeddings.dims = kSize.dims;
  decisions.groups[0].kept = {2};
  decisions.groups[1].kept = {0, 1};
  return decisions;
}

double cosine(std::span<const float> a, std::span<const float> b, std::span<const std::uint32_t> columns) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (const std::uint32_t c : columns) {
    ab += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    aa += static_cast<double>(a[c]) * static_cast<double>(a[c]);
    bb += static_cast<double>(b[c]) * static_cast<double>(b[c]);
  }
  return ab / std::sqrt(aa * bb);
}

// Columns of dimension d are d and 3 + d.
void expect_brute_force(const model::Decisions& decisions, std::optional<RelationId> relation,
                        const std::vector<std::uint32_t>& columns) {
  const std::vector<float> rows = model::restored_rows(decisions.tables.entities);
  const auto row = [&](std::uint32_t e) { return std::span(rows).subspan(e * 6, 6); };
  constexpr std::uint32_t kEntity = 4321;
  std::vector<Neighbor> expected;
  for (std::uint32_t e = 0; e < kSize.entities; ++e) {
    if (e != kEntity) expected.push_back({EntityId{e}, cosine(row(kEntity), row(e), columns)});
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Neighbor& a, const Neighbor& b) { return a.similarity > b.similarity; });
  const auto nearest = nearest_entities(decisions, EntityId{kEntity}, relation, 50, Context{.threads = 2});
  ASSERT_EQ(nearest.size(), 50U);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    EXPECT_NEAR(nearest[i].similarity, expected[i].similarity, 1e-12) << i;
    EXPECT_EQ(nearest[i].entity, expected[i].entity) << i;
  }
  EXPECT_NEAR(RowSimilarity(decisions, EntityId{kEntity}, relation).of(EntityId{9}),
              cosine(row(kEntity), row(9), columns), 1e-12);
}

TEST(NearEntities, EqualABruteForceSort) {
  const model::Decisions decisions = decisions_with_groups();
  expect_brute_force(decisions, std::nullopt, {0, 1, 2, 3, 4, 5});
  expect_brute_force(decisions, RelationId{1}, {0, 3, 1, 4});
}

TEST(NearEntities, TiesGoByIdAndThereMayBeFewer) {
  model::Decisions decisions;
  decisions.embeddings.dims = 1;
  decisions.tables.entities = features::BinnedTable(5);
  const std::vector<std::vector<float>> columns = {{1, 2, -1, 0, 3}};
  decisions.tables.entities.fill(columns, "entity", 256, Context{});
  const auto nearest = nearest_entities(decisions, EntityId{1}, std::nullopt, 9, Context{});
  const std::vector<std::pair<std::uint32_t, double>> expected = {{0, 1}, {4, 1}, {3, 0}, {2, -1}};
  ASSERT_EQ(nearest.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(index(nearest[i].entity), expected[i].first);
    EXPECT_DOUBLE_EQ(nearest[i].similarity, expected[i].second);
  }
}

}  // namespace
}  // namespace greenkgc::answers
