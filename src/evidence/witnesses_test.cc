#include "evidence/witnesses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "evidence/mine_rules.h"
#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

// Every query that the graph allows for every answer; those of known facts leave them out.
template <class Check>
void for_all_queries(const RandomGraph& reference, const EvidenceGraph& graph, const Check& check) {
  QuestionView view(graph);
  for (std::uint32_t relation = 0; relation < 2 * reference.relations; ++relation) {
    for (std::uint32_t known = 0; known < reference.entities; ++known) {
      for (std::uint32_t answer = 0; answer < reference.entities; ++answer) {
        Query query = query_along(EntityId{known}, DirectedRelation{relation});
        if (reference.holds(query.known, direction_of(query), EntityId{answer}))
          query.left_out = EntityId{answer};
        view.set(query);
        check(view, EntityId{answer});
      }
    }
  }
}

// The graph without the fact that the query leaves out.
RandomGraph without_left_out(RandomGraph graph, const Query& query) {
  if (query.left_out != kNoEntity)
    graph.facts.erase(RandomGraph::fact(query.known, direction_of(query), query.left_out));
  return graph;
}

bool is_linked(const RandomGraph& graph, std::vector<EntityId> way, std::span<const DirectedRelation> body,
               EntityId answer) {
  if (body.empty()) return way.back() == answer;
  if (way.back() == answer && way.size() > 1) return false;
  for (const EntityId next : graph.members(way.back(), body[0])) {
    if (std::ranges::find(way, next) != way.end() && !(body.size() == 1 && way.size() == 1)) continue;
    way.push_back(next);
    if (is_linked(graph, way, body.subspan(1), answer)) return true;
    way.pop_back();
  }
  return false;
}

RuleCounts others(RuleCounts counts, bool left_out_is_linked) {
  if (left_out_is_linked && counts.facts > 0) return {counts.pairs - 1, counts.facts - 1};
  return counts;
}

TEST(Witnesses, PathsAreThoseOfBruteForce) {
  const RandomGraph reference(9, 2, 30, 3);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {.rules = 1000}, {});
  std::size_t found = 0;
  for_all_queries(reference, graph, [&](const QuestionView& view, EntityId answer) {
    const RandomGraph own = without_left_out(reference, view.query());
    std::map<std::vector<DirectedRelation>, RuleCounts> expected;
    for (std::uint32_t length = 1; length <= kLongestBody; ++length) {
      for (const DirectedRule& rule : rules.of(view.relation(), length)) {
        const std::vector<DirectedRelation> body(rule.body.begin(), rule.body.begin() + length);
        if (!is_linked(own, {view.known()}, body, answer)) continue;
        const RuleCounts counts = others(rule.from_known, view.query().left_out != kNoEntity);
        if (counts.facts > 0) expected.emplace(body, counts);
      }
    }
    const auto witnesses = path_witnesses(view, rules, true, answer);
    EXPECT_EQ(witnesses.size(), expected.size());
    float before = 1;
    for (const PathWitness& witness : witnesses) {
      ASSERT_TRUE(expected.contains(witness.body));
      EXPECT_EQ(witness.counts, expected[witness.body]);
      EXPECT_LE(confidence(witness.counts), before);
      before = confidence(witness.counts);
      ASSERT_EQ(witness.way.size(), witness.body.size() + 1);
      EXPECT_EQ(witness.way.front(), view.known());
      EXPECT_EQ(witness.way.back(), answer);
      for (std::size_t i = 0; i < witness.body.size(); ++i)
        EXPECT_TRUE(own.holds(witness.way[i], witness.body[i], witness.way[i + 1]));
      ++found;
    }
  });
  EXPECT_GT(found, 500U);
}

TEST(Witnesses, LinksCanBeTurnedOff) {
  const RandomGraph reference(9, 2, 30, 3);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mine_rules(graph, {.rules = 1000}, {});
  std::size_t links = 0;
  for_all_queries(reference, graph, [&](const QuestionView& view, EntityId answer) {
    auto expected = path_witnesses(view, rules, true, answer);
    links += std::erase_if(expected, [](const PathWitness& witness) { return witness.body.size() == 1; });
    const auto witnesses = path_witnesses(view, rules, false, answer);
    ASSERT_EQ(witnesses.size(), expected.size());
    for (std::size_t i = 0; i < witnesses.size(); ++i) EXPECT_EQ(witnesses[i].body, expected[i].body);
  });
  EXPECT_GT(links, 0U);
}

TEST(Witnesses, PathCountsLoseTheLeftOutFactForOtherAnswersToo) {
  // 0 -0-> 2 and 0 -0-> 3 are linked by 0 -1-> 1 -1-> either; 0 -0-> 2 is left out.
  RandomGraph reference(4, 2, 0, 1);
  for (const auto& [head, relation, tail] :
       {std::array{0U, 0U, 2U}, {0U, 1U, 1U}, {1U, 1U, 2U}, {1U, 1U, 3U}})
    reference.facts.insert({EntityId{head}, RelationId{relation}, EntityId{tail}});
  const EvidenceGraph graph = reference.indexed();
  const DirectedRelation by = towards(RelationId{1}, Side::kTail);
  const RuleSet rules({{RelationId{0}, 2, {by, by}, {10, 5}, {10, 5}}}, 2);
  QuestionView view(graph);
  view.set({EntityId{0}, RelationId{0}, Side::kTail, EntityId{2}});
  const auto witnesses = path_witnesses(view, rules, true, EntityId{3});
  ASSERT_EQ(witnesses.size(), 1U);
  EXPECT_EQ(witnesses[0].counts, (RuleCounts{9, 4}));
  EXPECT_EQ(witnesses[0].way, (std::vector{EntityId{0}, EntityId{1}, EntityId{3}}));
}

TEST(Witnesses, AttributesAndBaseAreThoseOfBruteForce) {
  const RandomGraph reference(10, 3, 60, 7);
  const EvidenceGraph graph = reference.indexed();
  std::size_t found = 0;
  for_all_queries(reference, graph, [&](const QuestionView& view, EntityId answer) {
    const RandomGraph own = without_left_out(reference, view.query());
    const auto count = [&](const auto& is_asked) {
      RuleCounts counts;
      for (std::uint32_t e = 0; e < own.entities; ++e) {
        if (EntityId{e} == view.known() || !is_asked(EntityId{e})) continue;
        if (!own.members(EntityId{e}, view.relation()).empty()) ++counts.pairs;
        if (own.holds(EntityId{e}, view.relation(), answer)) ++counts.facts;
      }
      return counts;
    };
    EXPECT_EQ(base_counts(view, answer), count([](EntityId) { return true; }));
    std::map<Slot, RuleCounts> expected;
    for (std::uint32_t slot = 0; slot < graph.slot_count(); ++slot) {
      const EntityId owner = graph.owner(Slot{slot});
      const DirectedRelation by = graph.relation(Slot{slot});
      if (owner == answer || owner == view.known() || !own.holds(owner, by, view.known())) continue;
      const RuleCounts counts = count([&](EntityId e) { return own.holds(owner, by, e); });
      if (counts.facts > 0) expected.emplace(Slot{slot}, counts);
    }
    const auto witnesses = attribute_witnesses(view, answer);
    EXPECT_EQ(witnesses.size(), expected.size());
    for (const AttributeWitness& witness : witnesses) {
      ASSERT_TRUE(expected.contains(witness.attribute));
      EXPECT_EQ(witness.counts, expected[witness.attribute]);
      EXPECT_FALSE(witness.sampled);
      EXPECT_EQ(witness.examples.size(), std::min(3U, witness.counts.facts));
      for (const EntityId example : witness.examples)
        EXPECT_TRUE(own.holds(example, view.relation(), answer));
      ++found;
    }
  });
  EXPECT_GT(found, 500U);
}

TEST(Witnesses, SingleAnswersAreCountedWithoutTheLeftOutFact) {
  const RandomGraph reference(10, 2, 30, 4);
  const EvidenceGraph graph = reference.indexed();
  for_all_queries(reference, graph, [&](const QuestionView& view, EntityId) {
    const RandomGraph own = without_left_out(reference, view.query());
    RuleCounts expected;
    for (std::uint32_t e = 0; e < own.entities; ++e) {
      const std::size_t answers = own.members(EntityId{e}, view.relation()).size();
      expected.pairs += answers > 0 ? 1 : 0;
      expected.facts += answers == 1 ? 1 : 0;
    }
    EXPECT_EQ(single_counts(view), expected);
  });
}

TEST(Witnesses, HoldersOfAHubAreSampled) {
  RandomGraph reference(10'000, 2, 0, 1);
  const EntityId hub{9999};
  for (std::uint32_t e = 0; e < 9000; ++e) {
    reference.facts.insert({EntityId{e}, RelationId{0}, hub});
    reference.facts.insert({EntityId{e}, RelationId{1}, EntityId{9998 - e % 2}});
  }
  const EvidenceGraph graph = reference.indexed();
  QuestionView view(graph);
  view.set({EntityId{0}, RelationId{1}, Side::kTail, EntityId{9998}});
  const auto witnesses = attribute_witnesses(view, EntityId{9998});
  ASSERT_EQ(witnesses.size(), 1U);
  EXPECT_TRUE(witnesses[0].sampled);
  EXPECT_LE(witnesses[0].counts.pairs, 2000U);
  EXPECT_NEAR(static_cast<double>(witnesses[0].counts.facts) / witnesses[0].counts.pairs, 0.5, 0.1);
}

}  // namespace
}  // namespace greenkgc::evidence
