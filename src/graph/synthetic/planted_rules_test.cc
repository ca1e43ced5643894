#include "graph/synthetic/planted_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace greenkgc::graph {
namespace {

GenerateOptions graph_of(std::int64_t entities, std::int64_t relations) {
  GenerateOptions options;
  options.entities = entities;
  options.relations = relations;
  return options;
}

// Small graphs of every make: all rules or one, few relations or more than entities, whole clusters or not.
std::vector<GenerateOptions> small_graphs() {
  std::vector<GenerateOptions> graphs;
  for (const std::int64_t entities : {64, 67, 100, 517, 1024, 2001}) {
    for (const std::int64_t relations : {1, 2, 3, 7, 20, 150}) {
      for (const double rules : {0.0, 0.2}) {
        GenerateOptions options = graph_of(entities, relations);
        options.symmetric_share = options.inverse_share = options.composition_share = rules;
        graphs.push_back(options);
      }
      for (const bool symmetric : {true, false}) {
        GenerateOptions options = graph_of(entities, relations);
        options.symmetric_share = symmetric ? 1 : 0;
        options.inverse_share = symmetric ? 0 : 1;
        options.composition_share = 0;
        graphs.push_back(options);
      }
    }
  }
  return graphs;
}

std::vector<RelationId> ids(const PlantedRules& rules) {
  std::vector<RelationId> all;
  for (std::uint32_t r = 0; r < rules.relations().size(); ++r) all.push_back(RelationId{r});
  return all;
}

TEST(PlantedRules, TypesArePartsOfTheGraphAndNoneIsHalfOfIt) {
  for (const GenerateOptions& options : small_graphs()) {
    const PlantedRules rules(options, 1);
    std::uint32_t end = 0;
    for (const EntityRun& type : rules.types()) {
      EXPECT_EQ(type.begin, end);
      EXPECT_GE(type.size, 4u);
      EXPECT_LT(type.size, options.entities / 2);
      end = type.begin + type.size;
    }
    EXPECT_EQ(end, options.entities);
  }
}

TEST(PlantedRules, SharesCountRelationsRoundedDown) {
  GenerateOptions options = graph_of(1000, 20);
  options.symmetric_share = 0.1;
  options.inverse_share = 0.35;
  options.composition_share = 0.15;
  const RelationCounts counts = count_relations(options);
  EXPECT_EQ(counts.symmetric, 2u);
  EXPECT_EQ(counts.inverse_pairs, 3u);
  EXPECT_EQ(counts.composition, 3u);
  EXPECT_EQ(counts.plain, 9u);
  EXPECT_EQ(PlantedRules(options, 1).relations().size(), 20u);
}

TEST(PlantedRules, EveryAnchorComesOnceForEachTarget) {
  for (const GenerateOptions& options : small_graphs()) {
    const PlantedRules rules(options, 2);
    for (const RelationId r : ids(rules)) {
      const PlantedRelation& relation = rules[r];
      for (std::uint32_t k = 0; k < std::min(relation.max_targets, 32u); ++k) {
        std::vector<bool> seen(relation.anchors.size);
        for (std::uint32_t i = 0; i < relation.anchors.size; ++i) {
          const std::uint32_t place = index(rules.anchor(r, i, k)) - relation.anchors.begin;
          ASSERT_LT(place, relation.anchors.size);
          ASSERT_FALSE(seen[place]);
          seen[place] = true;
        }
      }
    }
  }
}

TEST(PlantedRules, EveryEntityIsCoveredOnce) {
  for (const GenerateOptions& options : small_graphs()) {
    const PlantedRules rules(options, 3);
    std::multiset<EntityId> covered;
    for (const RelationId r : ids(rules)) {
      for (std::uint32_t i = 0; i < rules[r].covers; ++i) covered.insert(rules.anchor(r, i, 0));
    }
    ASSERT_EQ(covered.size(), options.entities);
    for (std::uint32_t e = 0; e < options.entities; ++e) ASSERT_EQ(covered.count(EntityId{e}), 1u);
  }
}

TEST(PlantedRules, NoTargetOfAnAnchorComesTwice) {
  for (const GenerateOptions& options : small_graphs()) {
    const PlantedRules rules(options, 4);
    for (const RelationId r : ids(rules)) {
      const PlantedRelation& relation = rules[r];
      for (std::uint32_t i = 0; i < relation.anchors.size; i += 1 + relation.anchors.size / 20) {
        const EntityId anchor = rules.anchor(r, i, 0);
        std::vector<EntityId> targets = {anchor};
        for (std::uint32_t k = 0; k < relation.max_targets; ++k) {
          if (const auto target = rules.rule_target(r, anchor, k)) targets.push_back(*target);
          targets.push_back(rules.stray_target(r, anchor, k));
        }
        std::sort(targets.begin(), targets.end());
        ASSERT_EQ(std::adjacent_find(targets.begin(), targets.end()), targets.end());
        ASSERT_LT(index(targets.back()), options.entities);
      }
    }
  }
}

TEST(PlantedRules, SymmetricTargetsLeadBack) {
  int checked = 0;
  for (const GenerateOptions& options : small_graphs()) {
    const PlantedRules rules(options, 5);
    for (const RelationId r : ids(rules)) {
      if (rules[r].rule != Rule::kSymmetric) continue;
      for (std::uint32_t i = 0; i < rules[r].anchors.size; ++i) {
        for (std::uint32_t k = 0; k < rules[r].max_targets; ++k) {
          const EntityId anchor = rules.anchor(r, i, k);
          const auto target = rules.rule_target(r, anchor, k);
          if (!target) continue;
          ASSERT_EQ(rules.rule_target(r, *target, k), anchor);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 10'000);
}

// Of a cluster that is whole, anchors 0 and 1, 2 and 3 and so on are each other's target.
TEST(PlantedRules, SymmetricPairsAreTakenTogether) {
  GenerateOptions options = graph_of(3200, 4);
  options.symmetric_share = 1;
  options.inverse_share = options.composition_share = 0;
  const PlantedRules rules(options, 6);
  for (const RelationId r : ids(rules)) {
    for (std::uint32_t k = 0; k < rules[r].max_targets; ++k) {
      for (std::uint32_t i = 0; i < kClusterSize; i += 2)
        ASSERT_EQ(rules.rule_target(r, rules.anchor(r, i, k), k), rules.anchor(r, i + 1, k));
    }
  }
}

TEST(PlantedRules, CompositionsFollowTheirPremises) {
  GenerateOptions options = graph_of(5000, 40);
  options.composition_share = 0.5;
  const PlantedRules rules(options, 7);
  int checked = 0;
  for (const RelationId r : ids(rules)) {
    const PlantedRelation& relation = rules[r];
    if (relation.rule != Rule::kComposition) continue;
    for (std::uint32_t i = 0; i < relation.anchors.size; ++i) {
      const EntityId head = rules.anchor(r, i, 0);
      const auto middle = rules.rule_target(relation.premises[0], head, 0);
      if (!middle) continue;
      EXPECT_TRUE(rules[relation.premises[1]].anchors.contains(*middle));
      const auto tail = rules.rule_target(relation.premises[1], *middle, 0);
      if (!tail || *tail == head) continue;
      ASSERT_EQ(rules.rule_target(r, head, 0), tail);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace greenkgc::graph
