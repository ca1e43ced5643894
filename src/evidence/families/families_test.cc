#include "evidence/families/families.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "evidence/families/votes.h"
#include "evidence/learn_walks.h"
#include "evidence/mine_rules.h"
#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

using Features = std::map<std::string, float, std::less<>>;

// All features of all entities, by name.
class Reading {
 public:
  Reading(const EvidenceGraph& graph, const RuleSet& rules, const Query& query, const WalkSteps& walks = {}) {
    Sources sources{.graph = &graph, .rules = &rules, .walks = &walks};
    sources.near = [n = graph.entity_count()](EntityId entity, std::vector<NearEntity>& near) {
      near = {{EntityId{(index(entity) + 1) % n}, 0.9F}, {EntityId{(index(entity) + 2) % n}, 0.5F}};
    };
    std::vector<EntityId> entities;
    std::vector<float> scores;
    for (std::uint32_t e = 0; e < graph.entity_count(); ++e) {
      entities.push_back(EntityId{e});
      scores.push_back(static_cast<float>(e % 5));
    }
    QuestionView view(graph);
    view.set(query);
    rows_.resize(entities.size());
    for (const Family& family : all_families()) {
      const auto reader = family.make(sources);
      reader->ask(view);
      std::vector<float> values(entities.size() * family.features.size(), NAN);
      reader->fill({entities, scores}, {values.data(), family.features.size()});
      for (std::size_t i = 0; i < values.size(); ++i)
        rows_[i / family.features.size()].emplace(family.features[i % family.features.size()], values[i]);
      reader->propose(5, proposed_[std::string(family.name)]);
    }
  }

  const Features& of(EntityId entity) const { return rows_[index(entity)]; }
  const std::map<std::string, std::vector<EntityId>>& proposed() const { return proposed_; }

 private:
  std::vector<Features> rows_;
  std::map<std::string, std::vector<EntityId>> proposed_;
};

std::vector<Query> queries_of(const RandomGraph& graph, bool left_out) {
  std::vector<Query> queries;
  for (const Triple& fact : graph.facts) {
    queries.push_back({fact.head, fact.relation, Side::kTail, fact.tail});
    queries.push_back({fact.tail, fact.relation, Side::kHead, fact.head});
  }
  if (!left_out) {
    for (Query& query : queries) query.left_out = kNoEntity;
  }
  return queries;
}

RuleSet mined(const EvidenceGraph& graph) {
  return mine_rules(graph, {.walked = 1000, .pairs = 1000, .rules = 1000}, {});
}

TEST(Families, NamesAreUniqueAndFeaturesFinite) {
  const RandomGraph reference(10, 3, 40, 5);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mined(graph);
  const WalkSteps walks = learn_walks(graph, {}, {});
  for (const Query& query : queries_of(reference, true)) {
    const Reading reading(graph, rules, query, walks);
    std::size_t names = 0;
    for (const Family& family : all_families()) names += family.features.size();
    EXPECT_EQ(reading.of(EntityId{0}).size(), names);
    for (std::uint32_t e = 0; e < 10; ++e) {
      for (const auto& [name, value] : reading.of(EntityId{e})) EXPECT_TRUE(std::isfinite(value)) << name;
    }
  }
}

// Leaving a fact out is the same as never having known it. Rules and walks are those of the whole graph in
// both cases; rules have a test of their own.
TEST(Families, LeftOutFactIsInNoCount) {
  const RandomGraph reference(10, 3, 45, 6);
  const EvidenceGraph whole = reference.indexed();
  const RuleSet found = mined(whole);
  std::vector<Rule> rules;
  for (const Rule& rule : found.all()) {
    Rule sure = rule;
    sure.from_known = sure.from_answer = {.pairs = 0, .facts = 0};
    if (index(rule.body[0]) % 2 == 0) sure.from_known = {.pairs = 7, .facts = 0};
    rules.push_back(sure);
  }
  const RuleSet rule_set(rules, 3);
  const WalkSteps walks = learn_walks(whole, {}, {});
  for (const Query& query : queries_of(reference, true)) {
    RandomGraph without = reference;
    without.facts.erase(RandomGraph::fact(query.known, direction_of(query), query.left_out));
    const EvidenceGraph smaller = without.indexed();
    const Reading left_out(whole, rule_set, query, walks);
    const Reading never_known(smaller, rule_set, {query.known, query.relation, query.side}, walks);
    EXPECT_EQ(left_out.proposed(), never_known.proposed());
    for (std::uint32_t e = 0; e < 10; ++e) {
      for (const auto& [name, value] : never_known.of(EntityId{e}))
        EXPECT_NEAR(left_out.of(EntityId{e}).at(name), value, 1e-5F) << name << " of " << e;
    }
  }
}

TEST(Families, RuleLosesTheFactThatIsLeftOut) {
  // 0 -a-> 1 -b-> 2 implies 0 -c-> 2, and that fact is the query.
  RandomGraph reference(4, 3, 0, 1);
  reference.facts = {{EntityId{0}, RelationId{0}, EntityId{1}},
                     {EntityId{1}, RelationId{1}, EntityId{2}},
                     {EntityId{0}, RelationId{2}, EntityId{2}}};
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules({{RelationId{2}, 2, {DirectedRelation{0}, DirectedRelation{2}}, {1, 1}, {1, 1}}}, 3);
  const Query query = query_along(EntityId{0}, DirectedRelation{4});
  EXPECT_EQ(Reading(graph, rules, query).of(EntityId{2}).at("path2_best"), confidence({1, 1}));
  const Query left_out = query_along(EntityId{0}, DirectedRelation{4}, EntityId{2});
  EXPECT_EQ(Reading(graph, rules, left_out).of(EntityId{2}).at("path2_best"), 0);
  EXPECT_EQ(Reading(graph, rules, left_out).of(EntityId{2}).at("path2_count"), 1);
}

TEST(Families, CountsRangesAndDegrees) {
  const RandomGraph reference(10, 3, 40, 7);
  const EvidenceGraph graph = reference.indexed();
  for (const Query& query : queries_of(reference, false)) {
    const Reading reading(graph, {}, query);
    for (std::uint32_t e = 0; e < 10; ++e) {
      const Features& features = reading.of(EntityId{e});
      const auto count = reference.members(EntityId{e}, inverse(direction_of(query))).size();
      EXPECT_EQ(features.at("range_count"), count);
      EXPECT_FLOAT_EQ(features.at("range_share"),
                      static_cast<float>(count) / static_cast<float>(graph.fact_count(direction_of(query))));
      EXPECT_EQ(features.at("degree"), graph.degree(EntityId{e}));
      EXPECT_EQ(features.at("known_answers"), reference.members(query.known, direction_of(query)).size());
    }
  }
}

// The share of other holders of each attribute that answer with the candidate.
TEST(Families, AttributesAskTheirOtherHolders) {
  const RandomGraph reference(10, 3, 45, 8);
  const EvidenceGraph graph = reference.indexed();
  for (const Query& query : queries_of(reference, false)) {
    const Reading reading(graph, {}, query);
    for (std::uint32_t c = 0; c < 10; ++c) {
      Votes votes;
      for (std::uint32_t d = 0; d < 6; ++d) {
        for (const EntityId x : reference.members(query.known, DirectedRelation{d})) {
          auto holders = reference.members(x, inverse(DirectedRelation{d}));
          holders.erase(query.known);
          const auto answering = std::ranges::count_if(
              holders, [&](EntityId y) { return reference.holds(y, direction_of(query), EntityId{c}); });
          if (answering > 0 && x != EntityId{c} && x != query.known)
            votes.add(static_cast<float>(answering) / (static_cast<float>(holders.size()) + 1));
        }
      }
      const Features& features = reading.of(EntityId{c});
      EXPECT_FLOAT_EQ(features.at("attribute_best"), votes.strongest());
      EXPECT_NEAR(features.at("attribute_any"), votes.any(), 1e-5F);
      EXPECT_EQ(features.at("attribute_count"), votes.count());
    }
  }
}

TEST(Families, MirrorAsksForKnownAnswersAmongHolders) {
  const RandomGraph whole(10, 3, 45, 9);
  const EvidenceGraph graph = whole.indexed();
  for (const Query& query : queries_of(whole, true)) {
    const Reading reading(graph, {}, query);
    RandomGraph reference = whole;
    reference.facts.erase(RandomGraph::fact(query.known, direction_of(query), query.left_out));
    const auto answers = reference.members(query.known, direction_of(query));
    for (std::uint32_t c = 0; c < 10; ++c) {
      if (answers.contains(EntityId{c})) continue;  // never a candidate
      Votes votes;
      for (std::uint32_t d = 0; d < 6; ++d) {
        for (const EntityId x : reference.members(EntityId{c}, DirectedRelation{d})) {
          const auto holders = reference.members(x, inverse(DirectedRelation{d}));
          const auto known = std::ranges::count_if(holders, [&](EntityId y) { return answers.contains(y); });
          if (known > 0 && x != query.known)
            votes.add(static_cast<float>(known) / static_cast<float>(holders.size()));
        }
      }
      EXPECT_FLOAT_EQ(reading.of(EntityId{c}).at("mirror_best"), votes.strongest());
      EXPECT_NEAR(reading.of(EntityId{c}).at("mirror_any"), votes.any(), 1e-5F);
    }
  }
}

// Whether the body leads from one to the other without coming through either.
bool leads(const RandomGraph& graph, EntityId from, std::span<const DirectedRelation> body, EntityId to) {
  std::set<EntityId> at = {from};
  for (std::size_t i = 0; i < body.size(); ++i) {
    std::set<EntityId> next;
    for (const EntityId x : at) next.merge(graph.members(x, body[i]));
    if (i + 1 < body.size()) {
      next.erase(from);
      next.erase(to);
    }
    at = std::move(next);
  }
  return from != to && at.contains(to);
}

TEST(Families, PathsFollowEveryRule) {
  const RandomGraph reference(10, 3, 35, 10);
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules = mined(graph);
  ASSERT_FALSE(rules.of(DirectedRelation{0}, 3).empty());
  for (const Query& query : queries_of(reference, false)) {
    const Reading reading(graph, rules, query);
    for (std::uint32_t c = 0; c < 10; ++c) {
      for (const std::uint32_t length : {2U, 3U}) {
        Votes votes;
        for (const DirectedRule& rule : rules.of(direction_of(query), length)) {
          if (leads(reference, query.known, {rule.body.data(), length}, EntityId{c}))
            votes.add(confidence(rule.from_known));
        }
        const std::string name = "path" + std::to_string(length);
        EXPECT_EQ(reading.of(EntityId{c}).at(name + "_count"), votes.count());
        EXPECT_FLOAT_EQ(reading.of(EntityId{c}).at(name + "_best"), votes.strongest());
      }
    }
  }
}

// By enumeration: how likely walks of the given steps lead from one entity to another without coming through
// `not_over`.
double mass_of_walks(const RandomGraph& graph, std::span<const WalkStep> steps, std::uint32_t length,
                     EntityId from, EntityId to, EntityId not_over, std::uint32_t place = 0) {
  if (place == length) return from == to ? 1 : 0;
  double mass = 0;
  for (const WalkStep& step : steps) {
    if (step.length != length || step.place != place) continue;
    const auto members = graph.members(from, DirectedRelation{step.step});
    for (const EntityId next : members) {
      if (next == not_over && place + 1 < length) continue;
      mass += static_cast<double>(step.weight) / kWholeWeight / static_cast<double>(members.size()) *
              mass_of_walks(graph, steps, length, next, to, not_over, place + 1);
    }
  }
  return mass;
}

TEST(Families, WalksEndAsOftenAsEnumerated) {
  const RandomGraph reference(7, 2, 14, 21);
  const EvidenceGraph graph = reference.indexed();
  const WalkSteps walks = learn_walks(graph, {}, {});
  ASSERT_GT(walks.all().size(), 20U);
  bool long_ones = false;
  for (const Query& query : queries_of(reference, false)) {
    const Reading reading(graph, {}, query, walks);
    for (std::uint32_t c = 0; c < 7; ++c) {
      if (EntityId{c} == query.known) continue;
      double there = 0;
      double back = 0;
      double by_long = 0;
      for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
        const double mass = mass_of_walks(reference, walks.of(direction_of(query)), length, query.known,
                                          EntityId{c}, query.known);
        there += mass;
        if (length > 3) by_long += mass;
        back += mass_of_walks(reference, walks.of(inverse(direction_of(query))), length, EntityId{c},
                              query.known, query.known);
      }
      const Features& features = reading.of(EntityId{c});
      EXPECT_NEAR(features.at("walk_there"), there, 1e-4);
      EXPECT_NEAR(features.at("walk_back"), back, 1e-4);
      EXPECT_NEAR(features.at("walk_both"), std::sqrt(there * back), 1e-3);
      EXPECT_NEAR(features.at("walk_long_there"), by_long, 1e-4);
      long_ones = long_ones || by_long > 0.01;
    }
  }
  EXPECT_TRUE(long_ones);
}

// How often walks without an aim come to an entity in five steps, its own start apart.
double passes(const RandomGraph& graph, EntityId from, EntityId to) {
  std::vector<double> now(graph.entities);
  now[index(from)] = 1;
  double sum = 0;
  for (int step = 0; step < 5; ++step) {
    std::vector<double> next(graph.entities);
    for (std::uint32_t x = 0; x < graph.entities; ++x) {
      std::vector<std::set<EntityId>> slots;
      for (std::uint32_t d = 0; d < 2 * graph.relations; ++d) {
        const auto members = graph.members(EntityId{x}, DirectedRelation{d});
        if (!members.empty()) slots.push_back(members);
      }
      for (const auto& members : slots) {
        for (const EntityId y : members)
          next[index(y)] += now[x] / static_cast<double>(slots.size() * members.size());
      }
    }
    now = next;
    sum += now[index(to)];
  }
  return sum;
}

TEST(Families, StrollsPassAsOftenAsEnumerated) {
  const RandomGraph reference(12, 2, 20, 22);
  const EvidenceGraph graph = reference.indexed();
  for (const Query& query : queries_of(reference, false)) {
    const Reading reading(graph, {}, query);
    for (std::uint32_t c = 0; c < 12; ++c) {
      const Features& features = reading.of(EntityId{c});
      EXPECT_NEAR(features.at("stroll_there"), passes(reference, query.known, EntityId{c}), 1e-4);
      EXPECT_NEAR(features.at("stroll_back"), passes(reference, EntityId{c}, query.known), 1e-4);
    }
    for (const EntityId near : graph.neighbours(query.known))
      EXPECT_EQ(reading.of(near).at("stroll_steps"), 1);
  }
}

TEST(Families, LinksCountByTheirRules) {
  RandomGraph reference(4, 2, 0, 1);
  reference.facts = {{EntityId{0}, RelationId{0}, EntityId{1}}, {EntityId{2}, RelationId{0}, EntityId{0}}};
  const EvidenceGraph graph = reference.indexed();
  const RuleSet rules({{RelationId{1}, 1, {DirectedRelation{0}}, {20, 10}, {20, 4}},
                       {RelationId{1}, 1, {DirectedRelation{1}}, {20, 5}, {20, 8}}},
                      2);
  const Reading reading(graph, rules, query_along(EntityId{0}, DirectedRelation{2}));
  EXPECT_EQ(reading.of(EntityId{1}).at("link_best"), confidence({20, 10}));
  EXPECT_EQ(reading.of(EntityId{2}).at("link_best"), confidence({20, 5}));
  EXPECT_EQ(reading.of(EntityId{3}).at("link_count"), 0);
  EXPECT_EQ(reading.proposed().at("link"), (std::vector{EntityId{1}, EntityId{2}}));
  // Backwards, what was counted from answers is counted from known entities.
  const Reading back(graph, rules, query_along(EntityId{1}, DirectedRelation{3}));
  EXPECT_EQ(back.of(EntityId{0}).at("link_best"), confidence({20, 4}));
}

TEST(Families, NeighboursVoteByWeight) {
  RandomGraph reference(10, 1, 0, 1);
  reference.facts = {{EntityId{1}, RelationId{0}, EntityId{7}},
                     {EntityId{2}, RelationId{0}, EntityId{7}},
                     {EntityId{2}, RelationId{0}, EntityId{8}}};
  const EvidenceGraph graph = reference.indexed();
  const Reading reading(graph, {}, query_along(EntityId{0}, DirectedRelation{0}));
  EXPECT_FLOAT_EQ(reading.of(EntityId{7}).at("near_embedding_best"), 0.9F);
  EXPECT_FLOAT_EQ(reading.of(EntityId{7}).at("near_embedding_sum"), 1.4F);
  EXPECT_FLOAT_EQ(reading.of(EntityId{8}).at("near_embedding_share"), 0.5F / 1.4F);
}

}  // namespace
}  // namespace greenkgc::evidence
