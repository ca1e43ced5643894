#include "graph/fact_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"

// The orders by head and by tail are tested with KnownFacts.
namespace greenkgc::graph {
namespace {

std::vector<Triple> random_facts(std::uint32_t entities, std::uint32_t relations, std::size_t n) {
  const CounterRandom random(5, 5);
  std::vector<Triple> facts;
  for (std::size_t i = 0; i < n; ++i) {
    facts.push_back({EntityId{static_cast<std::uint32_t>(random.below(entities, 3 * i))},
                     RelationId{static_cast<std::uint32_t>(random.below(relations, 3 * i + 1))},
                     EntityId{static_cast<std::uint32_t>(random.below(entities, 3 * i + 2))}});
  }
  return facts;
}

TEST(FactIndex, ByPairFindsAllRelationsOfAPair) {
  const std::vector<Triple> facts = random_facts(12, 20, 1000);
  std::map<std::pair<EntityId, EntityId>, std::set<RelationId>> expected;
  for (const Triple& fact : facts) expected[{fact.head, fact.tail}].insert(fact.relation);
  const std::span<const Triple> part(facts);
  const FactIndex<ByPair> index(std::span(&part, 1), 12, Context{});
  for (std::uint32_t h = 0; h < 12; ++h) {
    for (std::uint32_t t = 0; t < 13; ++t) {
      EXPECT_TRUE(
          std::ranges::equal(index.find(EntityId{h}, EntityId{t}), expected[{EntityId{h}, EntityId{t}}]));
    }
  }
}

TEST(RepeatedFacts, AreListedOnceInOrder) {
  const auto fact = [](std::uint32_t h, std::uint32_t r, std::uint32_t t) {
    return Triple{EntityId{h}, RelationId{r}, EntityId{t}};
  };
  EXPECT_TRUE(repeated_facts({}, Context{}).empty());
  EXPECT_TRUE(repeated_facts(std::vector{fact(0, 0, 1)}, Context{}).empty());
  EXPECT_EQ(repeated_facts(std::vector{fact(2, 1, 2), fact(0, 0, 1), fact(2, 1, 2), fact(2, 1, 1),
                                       fact(0, 0, 1), fact(2, 1, 2)},
                           Context{}),
            (std::vector{fact(0, 0, 1), fact(2, 1, 2)}));
}

TEST(RepeatedFacts, AgreeWithBruteForce) {
  for (const std::uint32_t relations : {3U, 0xFFFFFFFFU}) {
    std::vector<Triple> facts = random_facts(1 << 20, relations, 100'000);
    facts.insert(facts.end(), facts.begin() + 500, facts.begin() + 1500);
    std::map<Triple, int> copies;
    for (const Triple& fact : facts) ++copies[fact];
    std::vector<Triple> expected;
    for (const auto& [fact, count] : copies) {
      if (count > 1) expected.push_back(fact);
    }
    EXPECT_TRUE(repeated_facts(facts, Context{}) == expected);
  }
}

}  // namespace
}  // namespace greenkgc::graph
