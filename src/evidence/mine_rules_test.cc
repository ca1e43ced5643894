#include "evidence/mine_rules.h"

#include <gtest/gtest.h>

#include <map>

#include "greenkgc/error.h"

#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

TEST(MineRules, CountsPairsAsBruteForceDoes) {
  const RandomGraph reference(9, 3, 30, 3);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {.walked = 1000, .pairs = 1000, .rules = 1000}, {});
  ASSERT_GT(rules.all().size(), 50U);
  for (const Rule& rule : rules.all()) {
    RuleCounts from_known;
    RuleCounts from_answer;
    for (std::uint32_t a = 0; a < 9; ++a) {
      for (std::uint32_t b = 0; b < 9; ++b) {
        std::set<EntityId> at = {EntityId{a}};
        for (std::uint32_t i = 0; i < rule.length; ++i) {
          std::set<EntityId> next;
          for (const EntityId x : at) next.merge(reference.members(x, rule.body[i]));
          if (i + 1 < rule.length) next.erase(EntityId{a}), next.erase(EntityId{b});
          at = std::move(next);
        }
        if (!at.contains(EntityId{b}) || (a == b && rule.length > 1)) continue;
        const DirectedRelation head = towards(rule.head, Side::kTail);
        const std::uint32_t fact = reference.holds(EntityId{a}, head, EntityId{b}) ? 1 : 0;
        if (!reference.members(EntityId{a}, head).empty()) ++from_known.pairs, from_known.facts += fact;
        if (!reference.members(EntityId{b}, inverse(head)).empty())
          ++from_answer.pairs, from_answer.facts += fact;
      }
    }
    EXPECT_EQ(rule.from_known, from_known);
    EXPECT_EQ(rule.from_answer, from_answer);
  }
}

// 200 chains i -a-> 200 + i -b-> 400 + i, and i -c-> 400 + i.
RandomGraph planted() {
  RandomGraph reference(600, 3, 0, 1);
  for (std::uint32_t i = 0; i < 200; ++i) {
    reference.facts.insert({EntityId{i}, RelationId{0}, EntityId{200 + i}});
    reference.facts.insert({EntityId{200 + i}, RelationId{1}, EntityId{400 + i}});
    reference.facts.insert({EntityId{i}, RelationId{2}, EntityId{400 + i}});
  }
  return reference;
}

TEST(MineRules, FindsThePlantedRule) {
  const RuleSet rules = mine_rules(planted().indexed(), {}, {});
  const auto of_c = rules.of(DirectedRelation{4}, 2);
  ASSERT_EQ(of_c.size(), 1U);
  EXPECT_EQ(of_c[0].body[0], DirectedRelation{0});
  EXPECT_EQ(of_c[0].body[1], DirectedRelation{2});
  EXPECT_EQ(of_c[0].from_known, (RuleCounts{.pairs = 200, .facts = 200}));
  const auto backwards = rules.of(DirectedRelation{5}, 2);
  ASSERT_EQ(backwards.size(), 1U);
  EXPECT_EQ(backwards[0].body[0], DirectedRelation{3});
  EXPECT_EQ(backwards[0].body[1], DirectedRelation{1});
}

TEST(MineRules, SameForAnyNumberOfThreads) {
  const EvidenceGraph graph = RandomGraph(60, 8, 900, 4).indexed();
  const MiningOptions few{
      .facts = 160, .known = 160, .least_facts = 1, .least_known = 1, .walked = 5, .pairs = 10, .rules = 10};
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  const RuleSet a = mine_rules(graph, few, one);
  const RuleSet b = mine_rules(graph, few, four);
  ASSERT_EQ(a.all().size(), b.all().size());
  EXPECT_TRUE(std::equal(a.all().begin(), a.all().end(), b.all().begin()));
  std::map<std::pair<RelationId, std::uint32_t>, int> kept;
  for (const Rule& rule : a.all()) EXPECT_LE((++kept[{rule.head, rule.length}]), 10);
}

TEST(RuleSet, RefusesWhatNoMinerWrites) {
  const Rule good{RelationId{1}, 2, {DirectedRelation{0}, DirectedRelation{3}}, {4, 2}, {4, 2}};
  EXPECT_NO_THROW(RuleSet({good}, 2));
  const auto refused = [&](auto spoil) {
    Rule rule = good;
    spoil(rule);
    EXPECT_THROW(RuleSet({rule}, 2), Error);
  };
  refused([](Rule& r) { r.length = 0; });
  refused([](Rule& r) { r.length = 4; });
  refused([](Rule& r) { r.head = RelationId{2}; });
  refused([](Rule& r) { r.body[1] = DirectedRelation{4}; });
  refused([](Rule& r) { r.body[2] = DirectedRelation{1}; });
  refused([](Rule& r) { r.from_known.facts = 5; });
  EXPECT_TRUE(RuleSet({good}, 2).of(DirectedRelation{9}, 2).empty());
}

}  // namespace
}  // namespace greenkgc::evidence
