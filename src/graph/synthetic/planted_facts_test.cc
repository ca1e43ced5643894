#include "graph/synthetic/planted_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

std::vector<Triple> all_facts(const PlantedFacts& facts) {
  std::vector<Triple> all;
  for (std::uint64_t i = 0; i < facts.covering_count(); ++i) all.push_back(facts.covering(i));
  for (std::uint64_t i = 0; i < facts.free_count(); ++i) all.push_back(facts.free(i));
  return all;
}

struct RuleShares {
  double symmetric = 0.1;
  double inverse = 0.1;
  double composition = 0.1;
};

GenerateOptions make(std::int64_t entities, std::int64_t relations, std::int64_t triples,
                     RuleShares rules = {}) {
  GenerateOptions options;
  options.entities = entities;
  options.relations = relations;
  options.triples = triples;
  options.symmetric_share = rules.symmetric;
  options.inverse_share = rules.inverse;
  options.composition_share = rules.composition;
  return options;
}

std::string describe(const GenerateOptions& options, std::uint64_t seed) {
  return options_as_toml(&options, option_specs<GenerateOptions>()) + "seed = " + std::to_string(seed);
}

std::string refusal(const GenerateOptions& options, std::uint64_t seed) {
  try {
    const PlantedFacts facts(options, seed);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  ADD_FAILURE() << "not refused:\n" << describe(options, seed);
  return "";
}

// The number that the message says after `words`.
std::int64_t number_after(const std::string& message, const std::string& words) {
  std::int64_t number = 0;
  for (std::size_t i = message.find(words) + words.size(); i < message.size(); ++i) {
    if (message[i] >= '0' && message[i] <= '9') {
      number = number * 10 + message[i] - '0';
    } else if (message[i] != ',') {
      break;
    }
  }
  return number;
}

std::int64_t least_triples(GenerateOptions options, std::uint64_t seed) {
  options.triples = 1;
  return number_after(refusal(options, seed), "at least ");
}

std::int64_t most_triples(GenerateOptions options, std::uint64_t seed) {
  options.triples = 1'000'000'000'000;
  return number_after(refusal(options, seed), "allow ");
}

void expect_sound(const GenerateOptions& options, std::uint64_t seed) {
  SCOPED_TRACE(describe(options, seed));
  const PlantedFacts facts(options, seed);
  std::vector<Triple> all = all_facts(facts);
  ASSERT_EQ(all.size(), options.triples);
  std::vector<bool> entities(static_cast<std::size_t>(options.entities));
  std::vector<bool> relations(static_cast<std::size_t>(options.relations));
  for (std::uint64_t i = 0; i < facts.covering_count(); ++i) {
    entities.at(index(all[i].head)) = entities.at(index(all[i].tail)) = true;
    relations.at(index(all[i].relation)) = true;
  }
  EXPECT_EQ(std::count(entities.begin(), entities.end(), false), 0);
  EXPECT_EQ(std::count(relations.begin(), relations.end(), false), 0);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "a fact comes twice";
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](const Triple& f) { return f.head == f.tail; }));
}

// Every mix of rules, noise and skew, from the fewest facts to many.
TEST(PlantedFacts, AreDistinctAndCoverTheGraph) {
  std::uint64_t seed = 0;
  for (const RuleShares rules : {RuleShares{}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0.2}}) {
    for (const double noise : {0.0, 0.05, 0.5, 1.0}) {
      for (const double skew : {1.05, 1.5, 10.0}) {
        for (const std::int64_t entities : {64, 333, 1000}) {
          for (const std::int64_t relations : {1, 2, 12, 200}) {
            GenerateOptions options = make(entities, relations, 0, rules);
            options.noise = noise;
            options.skew = skew;
            const std::int64_t least = least_triples(options, ++seed);
            const std::int64_t most = most_triples(options, seed);
            for (const std::int64_t triples : {least, std::min(2 * least, most), std::min(9 * least, most)}) {
              options.triples = triples;
              expect_sound(options, seed);
            }
          }
        }
      }
    }
  }
}

TEST(PlantedFacts, CanBeAsManyAsTheRulesAllow) {
  for (const RuleShares rules : {RuleShares{}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0.2}}) {
    for (const std::int64_t relations : {1, 2, 12}) {
      for (const double noise : {0.0, 0.3, 1.0}) {
        GenerateOptions options = make(100, relations, 0, rules);
        options.noise = noise;
        options.triples = most_triples(options, 1);
        expect_sound(options, 1);
        options.triples += 1;
        EXPECT_NE(refusal(options, 1), "");
      }
    }
  }
}

TEST(PlantedFacts, TooFewAreRefusedWithTheLeast) {
  GenerateOptions options = make(1000, 20, 900);
  options.valid_share = 0.1;
  options.test_share = 0.4;
  const std::string message = refusal(options, 1);
  EXPECT_NE(message.find("900 triples for 1,000 entities and 20 relations are too few"), std::string::npos)
      << message;
  options.triples = number_after(message, "at least ");
  EXPECT_GE(options.triples, 2000);  // half of it is train, with each entity
  EXPECT_LE(options.triples, 2040);  // and each relation
  const PlantedFacts facts(options, 1);
  EXPECT_EQ(facts.covering_count(), split_sizes(options).train);
  --options.triples;
  EXPECT_NE(refusal(options, 1), "");
}

TEST(PlantedFacts, SplitSizesAreTheSharesToOneFact) {
  GenerateOptions options = make(100, 5, 0);
  options.valid_share = 0.1;
  options.test_share = 0.37;
  std::uint64_t last_train = 0;
  for (options.triples = 0; options.triples < 1000; ++options.triples) {
    const SplitSizes sizes = split_sizes(options);
    EXPECT_EQ(sizes.train + sizes.valid + sizes.test, options.triples);
    EXPECT_LT(std::abs(static_cast<double>(sizes.valid) - 0.1 * static_cast<double>(options.triples)), 1);
    EXPECT_LT(std::abs(static_cast<double>(sizes.test) - 0.37 * static_cast<double>(options.triples)), 1);
    EXPECT_GE(sizes.train, last_train);
    last_train = sizes.train;
  }
  options.triples = 1000;
  EXPECT_EQ(split_sizes(options).valid, 100u);
  EXPECT_EQ(split_sizes(options).test, 370u);
}

// Entities with at least 4 and with at least 16 targets are as 1 to 4^skew.
TEST(PlantedFacts, SkewIsTheExponentOfTheDegrees) {
  for (const double skew : {1.1, 1.5, 2.5}) {
    GenerateOptions options = make(50'000, 1, 150'000, {0, 0, 0});
    options.skew = skew;
    std::map<EntityId, int> targets;
    for (const Triple& fact : all_facts(PlantedFacts(options, 1))) ++targets[fact.head];
    const auto with = [&](int least) {
      return std::count_if(targets.begin(), targets.end(), [&](const auto& t) { return t.second >= least; });
    };
    const double ratio = static_cast<double>(with(4)) / static_cast<double>(with(16));
    EXPECT_NEAR(std::log2(ratio) / 2, skew, 0.1 * skew);
  }
}

TEST(PlantedFacts, TailsHaveHubs) {
  std::map<EntityId, int> heads;
  for (const Triple& fact : all_facts(PlantedFacts(make(20'000, 60, 200'000), 1))) ++heads[fact.tail];
  const int largest = std::max_element(heads.begin(), heads.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->second;
  EXPECT_GT(largest, 100 * 10);  // the mean is 10
}

bool follows_rule(const Triple& fact, const PlantedRelation& relation) {
  const EntityId anchor = relation.reversed ? fact.tail : fact.head;
  const EntityId target = relation.reversed ? fact.head : fact.tail;
  if (relation.rule != Rule::kSymmetric) return relation.targets.contains(target);
  const auto cluster = [&](EntityId e) { return (index(e) - relation.anchors.begin) / kClusterSize; };
  return relation.anchors.contains(target) && cluster(anchor) == cluster(target);
}

TEST(PlantedFacts, NoiseIsTheShareOutsideOfTheRules) {
  for (const double noise : {0.0, 0.1, 0.6, 1.0}) {
    GenerateOptions options = make(20'000, 40, 200'000, {0.2, 0.2, 0.2});
    options.noise = noise;
    const PlantedFacts facts(options, 1);
    std::map<Rule, std::array<int, 2>> counts;
    for (const Triple& fact : all_facts(facts)) {
      const PlantedRelation& relation = facts.rules()[fact.relation];
      ++counts[relation.rule][follows_rule(fact, relation) ? 1 : 0];
    }
    EXPECT_EQ(counts.size(), 5u);
    for (const auto& [rule, count] : counts) {
      const double share = static_cast<double>(count[0]) / (count[0] + count[1]);
      EXPECT_NEAR(share, noise, 0.015) << "rule " << static_cast<int>(rule);
    }
  }
}

// However few facts there are, a composition has the anchors of its premise.
TEST(PlantedFacts, CompositionsHoldWhereBothPremisesDo) {
  for (const std::int64_t triples : {10'000, 15'000, 80'000}) {
    const PlantedFacts facts(make(5000, 30, triples, {0, 0, 0.2}), 1);
    std::map<std::pair<RelationId, EntityId>, EntityId> tails;  // of relations with one tail per head
    for (const Triple& fact : all_facts(facts)) tails[{fact.relation, fact.head}] = fact.tail;
    int premises = 0;
    int held = 0;
    for (std::uint32_t r = 0; r < facts.rules().relations().size(); ++r) {
      const PlantedRelation& relation = facts.rules()[RelationId{r}];
      if (relation.rule != Rule::kComposition) continue;
      for (std::uint32_t i = 0; i < relation.anchors.size; ++i) {
        const EntityId head = facts.rules().anchor(RelationId{r}, i, 0);
        const auto middle = tails.find({relation.premises[0], head});
        if (middle == tails.end()) continue;
        const auto end = tails.find({relation.premises[1], middle->second});
        if (end == tails.end()) continue;
        ++premises;
        const auto composed = tails.find({RelationId{r}, head});
        held += composed != tails.end() && composed->second == end->second ? 1 : 0;
      }
    }
    EXPECT_GT(premises, 500);
    EXPECT_GT(held, 0.8 * premises) << triples << " triples";
  }
}

// The largest that the options let pass, in a sample.
TEST(PlantedFacts, HugeGraphsAreSoundToo) {
  for (GenerateOptions options :
       {make(4'000'000'000, 1000, 5'000'000'000), make(4'000'000'000, 1, 5'000'000'000),
        make(3'000'000, 1000, 1'000'000'000'000)}) {
    options.noise = 0.5;
    const PlantedFacts facts(options, 1);
    EXPECT_EQ(facts.covering_count() + facts.free_count(), options.triples);
    std::vector<Triple> sample;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      sample.push_back(facts.covering(facts.covering_count() / 10'000 * i));
      sample.push_back(facts.free(facts.free_count() / 10'000 * i));
      sample.push_back(facts.free(facts.free_count() - 1 - i));
    }
    for (const Triple& fact : sample) {
      ASSERT_LT(index(fact.head), options.entities);
      ASSERT_LT(index(fact.tail), options.entities);
      ASSERT_NE(fact.head, fact.tail);
    }
    std::sort(sample.begin(), sample.end());
    EXPECT_EQ(std::adjacent_find(sample.begin(), sample.end()), sample.end());
  }
}

TEST(PlantedFacts, SameSeedSameFacts) {
  const GenerateOptions options = make(500, 10, 3000);
  EXPECT_EQ(all_facts(PlantedFacts(options, 5)), all_facts(PlantedFacts(options, 5)));
  EXPECT_NE(all_facts(PlantedFacts(options, 5)), all_facts(PlantedFacts(options, 6)));
}

}  // namespace
}  // namespace greenkgc::graph
