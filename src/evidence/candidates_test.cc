#include "evidence/candidates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evidence/mine_rules.h"
#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

std::vector<float> falling_scores(std::uint32_t n) {
  std::vector<float> scores(n);
  for (std::uint32_t e = 0; e < n; ++e) scores[e] = -static_cast<float>(e);
  return scores;
}

TEST(EvidenceReader, ListsEachCandidateOnceAndNoKnownAnswer) {
  const RandomGraph reference(50, 3, 300, 2);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {}, {});
  EvidenceReader reader({&graph, &rules, {}}, {.size = 20, .first_stage = 8});
  for (const Triple& fact : reference.facts) {
    const Query query{fact.head, fact.relation, Side::kTail, fact.tail};
    const auto& list = reader.read(query, falling_scores(50));
    EXPECT_EQ(list.entities.size(), 20U);
    auto answers = reference.members(query.known, direction_of(query));
    answers.erase(fact.tail);
    std::set<EntityId> distinct;
    for (const EntityId entity : list.entities) {
      EXPECT_FALSE(answers.contains(entity));
      distinct.insert(entity);
    }
    EXPECT_EQ(distinct.size(), list.entities.size());
    for (std::size_t i = 1; i < 8; ++i) EXPECT_LT(list.entities[i - 1], list.entities[i]);
    EXPECT_EQ(list.rows.size(), 20 * reader.feature_count());
    for (const float value : list.rows) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(EvidenceReader, TakesAllWhereThereAreFewEntities) {
  const RandomGraph reference(6, 1, 10, 3);
  const EvidenceGraph graph = reference.indexed();
  EvidenceReader reader({&graph, nullptr, {}}, {});
  const Query query = query_along(EntityId{0}, DirectedRelation{0});
  const auto& list = reader.read(query, falling_scores(6));
  EXPECT_EQ(list.entities.size() + reference.members(EntityId{0}, DirectedRelation{0}).size(), 6U);
}

TEST(EvidenceReader, LinksCanBeLeftOut) {
  const auto with = EvidenceReader::feature_names({.links = true});
  const auto without = EvidenceReader::feature_names({.links = false});
  for (const char* over_links : {"link", "stroll", "walk"}) {
    const auto is_one = [&](const std::string& name) { return name.starts_with(over_links); };
    EXPECT_GE(std::ranges::count_if(with, is_one), 3) << over_links;
    EXPECT_EQ(std::ranges::count_if(without, is_one), 0) << over_links;
  }
}

// A star whose center has more facts than any family looks at, and whose relation is not laid out by owner.
TEST(EvidenceReader, HubsAreSampled) {
  constexpr std::uint32_t kLeaves = 30'000;
  RandomGraph reference(kLeaves + 3, 2, 0, 1);
  for (std::uint32_t i = 0; i < kLeaves; ++i)
    reference.facts.insert({EntityId{i}, RelationId{0}, EntityId{kLeaves}});
  reference.facts.insert({EntityId{0}, RelationId{1}, EntityId{kLeaves + 1}});
  reference.facts.insert({EntityId{5}, RelationId{0}, EntityId{kLeaves + 1}});
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {}, {});
  EvidenceReader reader({&graph, &rules, {}}, {.size = 50, .first_stage = 10});
  const auto scores = falling_scores(kLeaves + 3);
  for (const Query& query :
       {query_along(EntityId{kLeaves}, DirectedRelation{1}, EntityId{7}),
        query_along(EntityId{0}, DirectedRelation{0}), query_along(EntityId{5}, DirectedRelation{0})}) {
    const auto& list = reader.read(query, scores);
    EXPECT_FALSE(list.entities.empty());
    for (const EntityId entity : list.entities)
      EXPECT_TRUE(entity == query.left_out || !reference.holds(query.known, direction_of(query), entity));
    for (const float value : list.rows) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(EvidenceReader, OrderOfQueriesDoesNotMatter) {
  const RandomGraph reference(30, 4, 200, 4);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {}, {});
  EvidenceReader reader({&graph, &rules, {}}, {.size = 10, .first_stage = 3});
  const auto scores = falling_scores(30);
  for (std::uint32_t i = 0; i < 60; ++i) {
    const Query query = query_along(EntityId{i % 30}, DirectedRelation{i * 5 % 8});
    const auto& used = reader.read(query, scores);
    EvidenceReader fresh({&graph, &rules, {}}, {.size = 10, .first_stage = 3});
    const auto& alone = fresh.read(query, scores);
    EXPECT_EQ(used.entities, alone.entities);
    EXPECT_EQ(used.rows, alone.rows);
  }
}

}  // namespace
}  // namespace greenkgc::evidence
