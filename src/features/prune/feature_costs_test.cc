#include "features/prune/feature_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace greenkgc::features {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;

double entropy_bits(double ones, double zeros) {
  const auto part = [&](double x) {
    return x > 0 ? -x / (ones + zeros) * std::log2(x / (ones + zeros)) : 0.0;
  };
  return part(ones) + part(zeros);
}

// Every threshold is tried, and every value counted for each.
double brute_force_cost(const std::vector<float>& answers, const std::vector<float>& others) {
  std::set<float> thresholds(answers.begin(), answers.end());
  thresholds.insert(others.begin(), others.end());
  const auto n = static_cast<double>(answers.size());
  double best = 1;
  for (const float at : thresholds) {
    const auto below = [&](const std::vector<float>& values) {
      return static_cast<double>(
          std::count_if(values.begin(), values.end(), [&](float x) { return x < at; }));
    };
    const double a = below(answers);
    const double b = below(others);
    best = std::min(best,
                    ((a + b) * entropy_bits(a, b) + (2 * n - a - b) * entropy_bits(n - a, n - b)) / (2 * n));
  }
  return best;
}

// Of models with one variable for an entity and one for a relation. The levels are the values.
features::SideTables tables_of(const std::vector<std::vector<float>>& entity_dims, std::uint32_t entities) {
  const std::vector<std::vector<float>> relation_dims(entity_dims.size(), std::vector<float>(1));
  features::SideTables tables{features::BinnedTable(entities), features::BinnedTable(1)};
  tables.entities.fill(entity_dims, "entity", features::kMostBins, {});
  tables.relations.fill(relation_dims, "relation", features::kMostBins, {});
  return tables;
}

constexpr std::size_t kPairs = 200;
constexpr std::uint32_t kEntities = 200;

// Entity 0 is asked about; its variables are 0, so that the tail's alone count.
struct Fixture {
  Fixture() {
    std::mt19937 random(5);
    const auto draw = [&](int different) {
      return static_cast<float>(random() % static_cast<unsigned>(different));
    };
    pairs.features = 4;
    for (std::size_t i = 0; i < kPairs; ++i) {
      const float asked = draw(9);
      for (const bool answer : {true, false}) {
        const std::uint32_t tail =
            1 + static_cast<std::uint32_t>(random() % (kEntities / 2 - 1)) + (answer ? 0 : kEntities / 2);
        pairs.facts.push_back({EntityId{0}, RelationId{0}, EntityId{tail}});
        const float noise = draw(20);
        const float some = draw(12) + (answer ? 3.0F : 0.0F);
        const float all = answer ? -1.0F - draw(5) : 1.0F + draw(5);
        pairs.evidence.insert(pairs.evidence.end(), {noise, some, all, asked});
      }
    }
    std::vector<std::vector<float>> dims(3, std::vector<float>(kEntities));
    for (std::uint32_t e = 1; e < kEntities; ++e) {
      dims[0][e] = draw(20) - 10;                     // noise
      dims[1][e] = e < kEntities / 2 ? 1.0F : -1.0F;  // tells all
      dims[2][e] = 0;                                 // tells nothing
    }
    values = dims;
    tables = tables_of(dims, kEntities);
  }

  std::vector<float> column(std::size_t feature, std::size_t place) const {
    std::vector<float> out;
    for (std::size_t i = 0; i < kPairs; ++i) {
      const std::size_t row = 2 * i + place;
      out.push_back(feature < pairs.features
                        ? pairs.evidence[row * pairs.features + feature]
                        : values[feature - pairs.features][index(pairs.facts[row].tail)]);
    }
    return out;
  }

  CandidatePairs pairs;
  std::vector<std::vector<float>> values;  // of the dimensions, by entity
  features::SideTables tables;
};

TEST(FeatureCosts, AreThoseOfTheBestThreshold) {
  const Fixture f;
  const std::vector<PairRange> all = {{0, kPairs}};
  const auto costs = feature_costs(f.pairs, all, f.tables, 3, {});
  ASSERT_EQ(costs.size(), 1U);
  ASSERT_EQ(costs[0].size(), 7U);
  for (std::size_t feature = 0; feature < 7; ++feature)
    EXPECT_NEAR(costs[0][feature], brute_force_cost(f.column(feature, 0), f.column(feature, 1)), 1e-12)
        << feature;
}

TEST(FeatureCosts, WhatTellsAllIsFirstAndWhatTellsNothingLast) {
  const Fixture f;
  const std::vector<PairRange> all = {{0, kPairs}};
  const auto costs = feature_costs(f.pairs, all, f.tables, 3, {})[0];
  const auto [noise, some, separating, of_question] = std::tie(costs[0], costs[1], costs[2], costs[3]);
  EXPECT_EQ(separating, 0);
  EXPECT_EQ(costs[5], 0);
  EXPECT_EQ(of_question, 1);
  EXPECT_EQ(costs[6], 1);
  EXPECT_GT(some, 0.5);
  EXPECT_LT(some, 0.9);
  for (const double cost : {noise, costs[4]}) {
    EXPECT_GT(cost, 0.95);
    EXPECT_LE(cost, 1);
  }
}

TEST(FeatureCosts, ARangeIsTestedAsIfItWereAlone) {
  const Fixture f;
  const std::vector<PairRange> ranges = {{0, kPairs}, {30, 90}, {7, 7}};
  const auto costs = feature_costs(f.pairs, ranges, f.tables, 3, {});
  CandidatePairs alone{{f.pairs.facts.begin() + 60, f.pairs.facts.begin() + 180},
                       4,
                       {f.pairs.evidence.begin() + 240, f.pairs.evidence.begin() + 720}};
  const std::vector<PairRange> whole = {{0, 60}};
  EXPECT_EQ(costs[1], feature_costs(alone, whole, f.tables, 3, {})[0]);
  EXPECT_NE(costs[1], costs[0]);
  EXPECT_THAT(costs[2], Each(1));
}

TEST(FeatureCosts, TheSameForAnyNumberOfThreads) {
  const Fixture f;
  const std::vector<PairRange> ranges = {{0, kPairs}, {0, 50}};
  EXPECT_EQ(feature_costs(f.pairs, ranges, f.tables, 3, {.threads = 1}),
            feature_costs(f.pairs, ranges, f.tables, 3, {.threads = 3}));
}

TEST(FeatureCosts, AnOutlierHidesNothing) {
  CandidatePairs pairs{{}, 1, {}};
  for (float x = 0; x < 1; x += 0.01F) pairs.evidence.insert(pairs.evidence.end(), {2 + x, 1 + x / 2});
  pairs.evidence[0] = 1e30F;
  pairs.facts.resize(pairs.evidence.size());
  const std::vector<PairRange> all = {{0, pairs.size()}};
  EXPECT_THAT(feature_costs(pairs, all, tables_of({}, 1), 0, {})[0], ElementsAre(DoubleNear(0, 0.1)));
}

}  // namespace
}  // namespace greenkgc::features
