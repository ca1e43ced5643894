#include "evidence/relation_odds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "graph/known_facts.h"

namespace greenkgc::evidence {
namespace {

constexpr std::uint32_t kCountries = 40;
constexpr EntityId kIsland{40};
constexpr EntityId kMainland{41};
constexpr EntityId kCapitals{42};
constexpr EntityId kNeighbour{43};
constexpr RelationId kBorders{0};
constexpr RelationId kIsA{1};
constexpr RelationId kHas{2};
const DirectedRelation kHasBorder = towards(kBorders, graph::Side::kTail);

// Countries, of which every fourth is an island. Mainland countries have a neighbor, but for one in seven.
class RelationOddsTest : public testing::Test {
 protected:
  static bool is_island(std::uint32_t country) { return country % 4 == 0; }
  static bool has_neighbour(std::uint32_t country) { return !is_island(country) && country % 7 != 1; }

  static std::vector<Triple> facts(std::uint32_t without = kCountries) {
    std::vector<Triple> all;
    for (std::uint32_t c = 0; c < kCountries; ++c) {
      all.push_back({EntityId{c}, kIsA, is_island(c) ? kIsland : kMainland});
      all.push_back({EntityId{c}, kHas, kCapitals});
      if (has_neighbour(c) && c != without) all.push_back({EntityId{c}, kBorders, kNeighbour});
    }
    return all;
  }

  static float odds_in(const std::vector<Triple>& facts, std::uint32_t country) {
    const EvidenceGraph graph({std::array{std::span<const Triple>(facts)}, 44, {}}, 44, 3, {});
    const Profiles profiles(graph, {});
    return RelationOdds(graph, profiles, 0.05F, {}).log_odds(EntityId{country}, kHasBorder);
  }
};

TEST_F(RelationOddsTest, AreThoseOfNaiveBayesOverTheOtherEntities) {
  for (const std::uint32_t country : {0U, 1U, 2U, 8U, 15U}) {
    // Two attributes tell: being an island, and being on the mainland; each is counted over all others.
    double all[2] = {};
    double island[2] = {};
    for (std::uint32_t c = 0; c < kCountries; ++c) {
      if (c == country) continue;
      all[has_neighbour(c) ? 1 : 0] += 1;
      island[has_neighbour(c) ? 1 : 0] += is_island(c) ? 1 : 0;
    }
    const double share = (island[0] + island[1] + 1) / (all[0] + all[1] + 2);
    const double other_share = (all[0] + all[1] - island[0] - island[1] + 1) / (all[0] + all[1] + 2);
    const auto so = [&](int with, double smoothing) { return (island[with] + smoothing) / (all[with] + 1); };
    const auto not_so = [&](int with, double smoothing) {
      return (all[with] - island[with] + smoothing) / (all[with] + 1);
    };
    double expected = std::log((all[1] + 0.5) / (all[0] + 0.5));
    if (is_island(country))
      expected +=
          std::log(so(1, share) / so(0, share)) + std::log(so(1, 1 - other_share) / so(0, 1 - other_share));
    else
      expected += std::log(not_so(1, 1 - share) / not_so(0, 1 - share)) +
                  std::log(not_so(1, other_share) / not_so(0, other_share));
    EXPECT_NEAR(odds_in(facts(), country), expected, 1e-4) << country;
  }
}

TEST_F(RelationOddsTest, SeparateEntitiesOfOneKind) {
  EXPECT_LT(odds_in(facts(), 0), -2);
  EXPECT_GT(odds_in(facts(), 2), 1);
}

TEST_F(RelationOddsTest, WhatAnEntityHasOfTheRelationDoesNotCount) {
  ASSERT_TRUE(has_neighbour(2));
  EXPECT_FLOAT_EQ(odds_in(facts(), 2), odds_in(facts(2), 2));
}

}  // namespace
}  // namespace greenkgc::evidence
