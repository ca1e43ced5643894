#include "rank/rankers/two_stage_ranker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "evidence/learn_walks.h"
#include "evidence/mine_rules.h"
#include "greenkgc/error.h"
#include "rank/calibration/reliability.h"
#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kEntities = 60;
constexpr std::uint32_t kRelations = 3;

std::uint32_t below(std::mt19937& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random() % n);
}

std::vector<Triple> random_facts(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::set<Triple> facts;
  while (facts.size() < count) {
    const EntityId head{below(random, kEntities)};
    const EntityId tail{below(random, kEntities)};
    if (head != tail) facts.insert({head, RelationId{below(random, kRelations)}, tail});
  }
  return {facts.begin(), facts.end()};
}

// Rules and trees of no particular meaning, which ask for many features.
model::SecondStage random_stage(std::span<const Triple> facts) {
  model::SecondStage stage;
  stage.labels = "valid";
  stage.links = true;
  stage.list_size = 20;
  stage.first_best = 8;
  stage.evidence.assign(facts.size(), 1);
  const std::array<std::span<const Triple>, 1> parts = {facts};
  const evidence::EvidenceGraph graph(graph::KnownFacts(parts, kEntities, {}), kEntities, kRelations, {});
  stage.rules = stored_rules(evidence::mine_rules(graph, {.least_support = 1}, {}));
  const auto walks = evidence::learn_walks(graph, {}, {});
  stage.walks.assign(walks.all().begin(), walks.all().end());
  stage.trees.features = evidence::EvidenceReader::feature_names({.links = true});
  std::mt19937 random(2);
  for (std::size_t f = 0; f < stage.trees.features.size(); ++f)
    stage.trees.cuts.push_back({0.001F, 0.1F, 0.5F, 1, 2, 5});
  for (std::size_t i = 0; i < 40; ++i) {
    const auto node = [&](std::uint16_t left) {
      return trees::ListTreeNode{
          .feature = static_cast<std::uint16_t>(random() % stage.trees.features.size()),
          .left = left,
          .bin = static_cast<std::uint8_t>(random() % 6)};
    };
    const auto leaf = [&] { return trees::ListTreeNode{.value = static_cast<float>(random() % 64) / 16}; };
    stage.trees.trees.push_back({{node(1), node(3), leaf(), leaf(), leaf()}});
  }
  return stage;
}

class TwoStageRankerTest : public testing::Test {
 protected:
  TwoStageRankerTest()
      : decisions_(RandomDecisions({.entities = kEntities, .relations = kRelations, .trees = 5}).make()),
        facts_(random_facts(400, 1)),
        stage_(random_stage(facts_)),
        asked_(random_facts(80, 9)) {}

  std::vector<RankQuery> queries() const {
    std::vector<RankQuery> all;
    for (const Triple& fact : asked_) {
      all.push_back({fact.head, fact.relation, fact.tail, Side::kTail});
      all.push_back({fact.tail, fact.relation, fact.head, Side::kHead});
    }
    return all;
  }

  // Entities by their order in both stages: (1, margin) of the list, (0, margin) behind it.
  using Order = std::vector<std::pair<int, float>>;
  static Order order_of(const TwoStageRanker& model, const Query& question) {
    Order order(kEntities);
    model.evidence()->read(
        {&question, 1},
        [&](std::size_t, std::span<const float> first, const evidence::EvidenceReader::List& list) {
          for (std::uint32_t e = 0; e < kEntities; ++e) order[e] = {0, first[e]};
          std::vector<float> margins;
          model.score(list, margins);
          for (std::size_t i = 0; i < margins.size(); ++i) order[index(list.entities[i])] = {1, margins[i]};
        },
        {});
    return order;
  }

  model::Decisions decisions_;
  std::vector<Triple> facts_;
  model::SecondStage stage_;
  std::vector<Triple> asked_;
};

TEST_F(TwoStageRankerTest, MarginsBeginWithZeroOrTheFirstStage) {
  const TwoStageRanker on_zero(decisions_, stage_, facts_, {});
  stage_.on_first = true;
  const TwoStageRanker on_first(decisions_, stage_, facts_, {});
  const Query question{EntityId{3}, RelationId{1}, Side::kTail};
  std::size_t listed = 0;
  on_zero.evidence()->read(
      {&question, 1},
      [&](std::size_t, std::span<const float> first, const evidence::EvidenceReader::List& list) {
        std::vector<float> without;
        std::vector<float> with;
        on_zero.score(list, without);
        on_first.score(list, with);
        for (std::size_t i = 0; i < with.size(); ++i) {
          EXPECT_NEAR(with[i], first[index(list.entities[i])] + without[i], 1e-5);
          ++listed;
        }
      },
      {});
  EXPECT_GT(listed, 0U);
}

TEST_F(TwoStageRankerTest, RanksAreThoseOfSortingAllEntities) {
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const std::array<std::span<const Triple>, 2> parts = {facts_, asked_};
  const graph::KnownFacts known(parts, kEntities, {});
  const graph::RelationRanges ranges(facts_, kRelations);
  const auto all = queries();
  const auto ranks = model.ranks(all, {.known = &known, .ranges = &ranges}, {});
  std::size_t listed = 0;
  std::size_t behind = 0;
  for (std::size_t q = 0; q < all.size(); ++q) {
    const Query query = all[q].query();
    const Side side = query.side;
    const bool tail = side == Side::kTail;
    const auto fact = [&](std::uint32_t e) {
      return tail ? Triple{query.known, query.relation, EntityId{e}}
                  : Triple{EntityId{e}, query.relation, query.known};
    };
    const bool evidence = std::binary_search(facts_.begin(), facts_.end(), fact(index(all[q].answer)));
    const Order order =
        order_of(model, {query.known, query.relation, side, evidence ? all[q].answer : kNoEntity});
    const auto range = tail ? ranges.tails(query.relation) : ranges.heads(query.relation);
    Ranks expected;
    for (std::uint32_t e = 0; e < kEntities; ++e) {
      if (EntityId{e} == all[q].answer || known.contains(fact(e))) continue;
      const bool better = order[e] > order[index(all[q].answer)];
      const bool equal = order[e] == order[index(all[q].answer)];
      expected.all.better += better ? 1 : 0;
      expected.all.equal += equal ? 1 : 0;
      if (!std::binary_search(range.begin(), range.end(), EntityId{e})) continue;
      ++expected.range_candidates;
      expected.in_range.better += better ? 1 : 0;
      expected.in_range.equal += equal ? 1 : 0;
    }
    EXPECT_EQ(ranks[q].all.better, expected.all.better) << q;
    EXPECT_EQ(ranks[q].all.equal, expected.all.equal) << q;
    EXPECT_EQ(ranks[q].in_range.better, expected.in_range.better) << q;
    EXPECT_EQ(ranks[q].range_candidates, expected.range_candidates) << q;
    (order[index(all[q].answer)].first == 1 ? listed : behind) += 1;
  }
  EXPECT_GT(listed, 20U);
  EXPECT_GT(behind, 20U);
}

// A fact that the graph has is ranked as if the graph did not have it: no count of evidence includes it.
// Without rules, since those are taken to be mined with the fact, and lose it again.
TEST_F(TwoStageRankerTest, AFactIsNoEvidenceForItself) {
  stage_.rules.clear();
  const TwoStageRanker with(decisions_, stage_, facts_, {});
  for (std::size_t i = 0; i < facts_.size(); i += 7) {
    const Triple& fact = facts_[i];
    model::SecondStage without_fact = stage_;
    without_fact.evidence[i] = 0;
    const TwoStageRanker without(decisions_, without_fact, facts_, {});
    for (const Side side : {Side::kHead, Side::kTail}) {
      const RankQuery asked = side == Side::kTail ? tail_query(fact) : head_query(fact);
      const Query query = asked.query();
      const EntityId answer = asked.answer;
      EXPECT_EQ(with.evidence()->query_for(asked).left_out, answer);
      EXPECT_EQ(without.evidence()->query_for(asked).left_out, kNoEntity);
      EXPECT_EQ(order_of(with, {query.known, query.relation, side, answer}), order_of(without, query)) << i;
    }
  }
}

TEST_F(TwoStageRankerTest, TopAnswersAreInTheOrderOfRanks) {
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const std::array<std::span<const Triple>, 1> parts = {facts_};
  const graph::KnownFacts known(parts, kEntities, {});
  const Query query{EntityId{3}, RelationId{1}, Side::kTail};
  const Order order = order_of(model, query);
  const auto all = model.best({&query, 1}, {.k = kEntities, .known = &known}, {})[0];
  EXPECT_EQ(all.size(), kEntities - known.tails(query.known, query.relation).size());
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const auto& a = order[index(all[i].entity)];
    const auto& b = order[index(all[i + 1].entity)];
    EXPECT_TRUE(a > b || (a == b && all[i].entity < all[i + 1].entity)) << i;
    EXPECT_GE(all[i].score, all[i + 1].score);
  }
  const auto three = model.best({&query, 1}, {.k = 3, .known = &known}, {})[0];
  EXPECT_THAT(three, testing::ElementsAre(all[0], all[1], all[2]));
  EXPECT_EQ(model.best({&query, 1}, {.k = kEntities}, {})[0].size(), kEntities);
}

TEST_F(TwoStageRankerTest, ALeftOutAnswerIsNotKnown) {
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const std::array<std::span<const Triple>, 1> parts = {facts_};
  const graph::KnownFacts known(parts, kEntities, {});
  const Triple& fact = facts_[5];
  const auto question = model.evidence()->query_for(tail_query(fact));
  const Order order = order_of(model, question);
  const auto all = model.best({&question, 1}, {.k = kEntities, .known = &known}, {})[0];
  EXPECT_EQ(all.size(), kEntities - known.tails(fact.head, fact.relation).size() + 1);
  const auto own = std::ranges::find(all, fact.tail, &ScoredEntity::entity);
  ASSERT_NE(own, all.end());
  EXPECT_EQ(own->score, model.fact_scores({&fact, 1}, {})[0]);
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    EXPECT_GE(order[index(all[i].entity)], order[index(all[i + 1].entity)]) << i;
}

TEST_F(TwoStageRankerTest, FactsHaveTheMarginsOfAnswers) {
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const Query query{facts_[5].head, facts_[5].relation, Side::kTail};  // has an answer that is evidence
  const auto answers = model.best({&query, 1}, {.k = kEntities}, {})[0];
  std::vector<Triple> facts;
  std::vector<float> expected;
  for (const ScoredEntity& answer : answers) {
    facts.push_back({query.known, query.relation, answer.entity});
    expected.push_back(answer.score);
  }
  EXPECT_EQ(facts.size(), kEntities);
  EXPECT_EQ(model.fact_scores(facts, {}), expected);
}

TEST_F(TwoStageRankerTest, ReliabilityIsThatOfTheAnswers) {
  const model::Calibration curve{{-10, 0, 10, 100}, {0.01F, 0.1F, 0.6F, 0.9F}};
  stage_.calibration = curve;
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const std::array<std::span<const Triple>, 1> known_parts = {facts_};
  const std::array<std::span<const Triple>, 1> asked_parts = {asked_};
  const graph::KnownFacts known(known_parts, kEntities, {});
  const graph::KnownFacts to_find(asked_parts, kEntities, {});
  std::vector<Query> queries;
  for (const Triple& fact : asked_) queries.push_back({fact.head, fact.relation, Side::kTail});
  const auto expected = [&](std::size_t k) {
    ReliabilitySum sum;
    const auto answers = model.best(queries, {.k = k, .known = &known}, {});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const ScoredEntity& answer : answers[i]) {
        const Triple fact{queries[i].known, queries[i].relation, answer.entity};
        sum.add(curve.probability(static_cast<double>(answer.score)),
                std::ranges::find(asked_, fact) != asked_.end());
      }
    }
    return sum.result();
  };
  const auto [top, all] = measure_reliability(model, queries, {to_find, known}, 3, {});
  for (const auto& [found, right] : {std::pair(top, expected(3)), std::pair(all, expected(kEntities))}) {
    EXPECT_EQ(found.candidates, right.candidates);
    EXPECT_EQ(found.facts, right.facts);
    EXPECT_DOUBLE_EQ(found.expected_calibration_error, right.expected_calibration_error);
  }
  EXPECT_EQ(top.candidates, 3 * queries.size());
  EXPECT_GT(all.facts, top.facts);
  EXPECT_GT(top.facts, 0U);
}

TEST_F(TwoStageRankerTest, AFamilyThatAModelDoesNotKnowIsNotRead) {
  stage_.trees.features.clear();
  for (const std::string& name : evidence::EvidenceReader::feature_names({.links = true})) {
    if (!name.starts_with("walk")) stage_.trees.features.push_back(name);
  }
  stage_.trees.cuts.resize(stage_.trees.features.size());
  stage_.trees.trees.clear();
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const Query question{EntityId{3}, RelationId{1}, Side::kTail};
  model.evidence()->read(
      {&question, 1},
      [&](std::size_t, std::span<const float>, const evidence::EvidenceReader::List& list) {
        EXPECT_EQ(list.rows.size(), list.entities.size() * stage_.trees.features.size());
      },
      {});
}

TEST_F(TwoStageRankerTest, SameForAnyNumberOfThreads) {
  const TwoStageRanker model(decisions_, stage_, facts_, {});
  const auto all = queries();
  const auto one = model.ranks(all, {}, {.threads = 1});
  const auto four = model.ranks(all, {}, {.threads = 4});
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(one[i].all.better, four[i].all.better);
    EXPECT_EQ(one[i].all.equal, four[i].all.equal);
  }
}

TEST_F(TwoStageRankerTest, RulesComeBack) {
  EXPECT_GT(stage_.rules.size(), 5U);
  EXPECT_EQ(stored_rules(rule_set(stage_.rules, kRelations)), stage_.rules);
}

TEST_F(TwoStageRankerTest, RefusesTreesOverOtherFeatures) {
  stage_.trees.features[1] = "phase of the moon";
  try {
    const TwoStageRanker model(decisions_, stage_, facts_, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), testing::HasSubstr("phase of the moon"));
  }
}

}  // namespace
}  // namespace greenkgc::rank
