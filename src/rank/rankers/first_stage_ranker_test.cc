#include "rank/rankers/first_stage_ranker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "model/tree_scores.h"
#include "rank/rankers/fact_margins.h"
#include "simd/targets.h"
#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

Triple fact(const Query& query, std::uint32_t candidate) {
  if (query.side == Side::kTail) return {query.known, query.relation, EntityId{candidate}};
  return {EntityId{candidate}, query.relation, query.known};
}

// Down each tree, one after another.
float walked_margin(const model::Decisions& decisions, const Triple& triple) {
  const auto& trees = decisions.groups[decisions.group_of[index(triple.relation)]].trees;
  auto margin = static_cast<float>(trees.base_margin);
  for (const trees::Tree& tree : trees.trees)
    margin += tree.nodes[leaf_of(tree, decisions.tables, triple)].value;
  return margin;
}

std::vector<Query> random_queries(const model::Decisions& decisions, std::size_t count) {
  std::mt19937 random(5);
  std::vector<Query> queries;
  for (std::size_t i = 0; i < count; ++i)
    queries.push_back({EntityId{static_cast<std::uint32_t>(random() % decisions.tables.entities.rows())},
                       RelationId{static_cast<std::uint32_t>(random() % decisions.group_of.size())},
                       random() % 2 == 0 ? Side::kHead : Side::kTail});
  return queries;
}

class KeepSink final : public model::MarginSink {
 public:
  KeepSink(std::span<const std::uint32_t> places, std::vector<std::vector<float>>& margins)
      : places_(places), margins_(margins) {}
  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    std::copy(margins.begin(), margins.end(), margins_[places_[i]].begin() + first);
  }
  void finish() override {}

 private:
  std::span<const std::uint32_t> places_;
  std::vector<std::vector<float>>& margins_;
};

std::vector<std::vector<float>> all_margins(const model::Decisions& decisions, std::span<const Query> queries,
                                            int threads = 1) {
  std::vector<std::vector<float>> margins(queries.size(),
                                          std::vector<float>(decisions.tables.entities.rows()));
  model::score_entities(
      decisions, queries,
      [&](std::span<const std::uint32_t> places) { return std::make_unique<KeepSink>(places, margins); },
      Context{.threads = threads});
  return margins;
}

void expect_walked(const model::Decisions& decisions, const Query& query, const std::vector<float>& margins) {
  for (std::uint32_t c = 0; c < margins.size(); ++c) {
    const float expected = walked_margin(decisions, fact(query, c));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(margins[c]), std::bit_cast<std::uint32_t>(expected))
        << "candidate " << c << ": " << margins[c] << ", walked " << expected;
  }
}

void expect_walked(const model::Decisions& decisions, std::size_t count) {
  const auto queries = random_queries(decisions, count);
  const auto batch = all_margins(decisions, queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    expect_walked(decisions, queries[i], batch[i]);
    if (i < 4) expect_walked(decisions, queries[i], all_margins(decisions, {&queries[i], 1})[0]);
  }
}

TEST(TreeScores, MarginsAreThoseOfAWalkForEveryDepth) {
  for (std::size_t depth = 0; depth <= trees::kMostTreeDepth; ++depth) {
    SCOPED_TRACE(depth);
    expect_walked(RandomDecisions({.depth = depth, .leaf_rate = 0}, depth).make(), 48);
    expect_walked(RandomDecisions({.trees = 60, .depth = depth, .leaf_rate = 0.15}, depth).make(), 48);
  }
}

TEST(TreeScores, MarginsAreThoseOfAWalkOnEveryInstructionSet) {
  const auto shallow = RandomDecisions({.trees = 60}).make();
  const auto deep = RandomDecisions({.depth = 7, .leaf_rate = 0.05}).make();
  for (const std::string& target : simd::available_kernel_targets()) {
    SCOPED_TRACE(target);
    simd::force_kernel_target(target);
    expect_walked(shallow, 48);
    expect_walked(deep, 48);
  }
  simd::force_kernel_target("");
}

TEST(TreeScores, NoTreesGiveTheBaseMargin) {
  const auto decisions = RandomDecisions({.trees = 0}).make();
  expect_walked(decisions, 48);
}

TEST(TreeScores, NumbersOfEntities) {
  for (const std::uint32_t entities : {1U, 127U, 128U, 129U, 2048U, 2049U, 4500U})
    expect_walked(RandomDecisions({.entities = entities, .trees = 5}).make(), 48);
}

TEST(TreeScores, MoreQueriesThanABlockOnAnyNumberOfThreads) {
  const auto decisions = RandomDecisions({.entities = 4500, .relations = 3, .groups = 1, .trees = 8}).make();
  const auto queries = random_queries(decisions, 230);
  const auto margins = all_margins(decisions, queries);
  for (const std::size_t i : {0U, 95U, 96U, 200U, 229U}) expect_walked(decisions, queries[i], margins[i]);
  EXPECT_TRUE(all_margins(decisions, queries, 3) == margins);
  EXPECT_TRUE(all_margins(decisions, {queries.data(), 2}, 4) ==
              std::vector(margins.begin(), margins.begin() + 2));
}

TEST(FactMargins, AreThoseOfAWalk) {
  for (const std::size_t depth : {1U, 5U, 7U}) {
    const auto decisions = RandomDecisions({.depth = depth, .leaf_rate = 0.05}).make();
    std::mt19937 random(2);
    std::vector<Triple> facts;
    for (int i = 0; i < 1300; ++i)
      facts.push_back({EntityId{static_cast<std::uint32_t>(random() % 300)},
                       RelationId{static_cast<std::uint32_t>(random() % 5)},
                       EntityId{static_cast<std::uint32_t>(random() % 300)}});
    const auto margins = margins_of(decisions, facts, Context{.threads = 2});
    for (std::size_t i = 0; i < facts.size(); ++i)
      ASSERT_EQ(margins[i], walked_margin(decisions, facts[i])) << i;
  }
}

// Few distinct margins, so that there are ties.
class TiedDecisions : public testing::Test {
 protected:
  TiedDecisions() : decisions_(RandomDecisions({.entities = 2300, .trees = 2, .depth = 3}).make()) {
    std::mt19937 random(11);
    for (int i = 0; i < 3000; ++i)
      facts_.push_back({EntityId{static_cast<std::uint32_t>(random() % 40)},
                        RelationId{static_cast<std::uint32_t>(random() % 5)},
                        EntityId{static_cast<std::uint32_t>(random() % 2300)}});
    const std::array<std::span<const Triple>, 1> parts = {facts_};
    known_ = graph::KnownFacts(parts, 2300, Context{});
    ranges_ = graph::RelationRanges({facts_.data(), 500}, 5);
  }

  bool left_out(const Query& query, std::uint32_t candidate) const {
    return known_.contains(fact(query, candidate));
  }

  Ranks brute_force(const RankQuery& query, const Candidates& candidates) const {
    Ranks ranks;
    const Query asked{query.known, query.relation, query.side};
    const auto range =
        query.side == Side::kTail ? ranges_.tails(query.relation) : ranges_.heads(query.relation);
    const auto in_range = [&](std::uint32_t id) {
      return candidates.ranges != nullptr &&
             std::find(range.begin(), range.end(), EntityId{id}) != range.end();
    };
    ranks.answer_in_range = in_range(index(query.answer));
    const float own = walked_margin(decisions_, fact(asked, index(query.answer)));
    for (std::uint32_t c = 0; c < 2300; ++c) {
      if (EntityId{c} == query.answer || (candidates.known != nullptr && left_out(asked, c))) continue;
      const float other = walked_margin(decisions_, fact(asked, c));
      ranks.all.better += other > own ? 1 : 0;
      ranks.all.equal += other == own ? 1 : 0;
      if (!in_range(c)) continue;
      ++ranks.range_candidates;
      ranks.in_range.better += other > own ? 1 : 0;
      ranks.in_range.equal += other == own ? 1 : 0;
    }
    return ranks;
  }

  model::Decisions decisions_;
  std::vector<Triple> facts_;
  graph::KnownFacts known_;
  graph::RelationRanges ranges_;
};

TEST_F(TiedDecisions, RanksAreThoseOfBruteForce) {
  std::vector<RankQuery> queries;
  for (std::size_t i = 0; i < 60; ++i) {
    const Triple& answer = facts_[i * 17];
    queries.push_back({answer.head, answer.relation, answer.tail, Side::kTail});
    queries.push_back({answer.tail, answer.relation, answer.head, Side::kHead});
  }
  std::uint32_t ties = 0;
  for (const Candidates& candidates : {Candidates{}, Candidates{&known_, &ranges_}}) {
    for (const int threads : {1, 3}) {
      const auto ranks = FirstStageRanker(decisions_).ranks(queries, candidates, Context{.threads = threads});
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const Ranks expected = brute_force(queries[i], candidates);
        ASSERT_EQ(ranks[i].all.better, expected.all.better) << i;
        ASSERT_EQ(ranks[i].all.equal, expected.all.equal) << i;
        ASSERT_EQ(ranks[i].in_range.better, expected.in_range.better) << i;
        ASSERT_EQ(ranks[i].in_range.equal, expected.in_range.equal) << i;
        ASSERT_EQ(ranks[i].range_candidates, expected.range_candidates) << i;
        ASSERT_EQ(ranks[i].answer_in_range, expected.answer_in_range) << i;
        ties += ranks[i].all.equal;
      }
    }
  }
  EXPECT_GT(ties, 0U);
}

TEST_F(TiedDecisions, ALeftOutAnswerIsNotKnown) {
  const FirstStageRanker ranker(decisions_);
  Query query = tail_query(facts_[0]).query();
  const auto without = ranker.best({&query, 1}, {5000, &known_}, Context{})[0];
  query.left_out = facts_[0].tail;
  auto with = ranker.best({&query, 1}, {5000, &known_}, Context{})[0];
  const auto own = std::ranges::find(with, query.left_out, &ScoredEntity::entity);
  ASSERT_NE(own, with.end());
  EXPECT_EQ(own->score, ranker.fact_scores({facts_.data(), 1}, Context{})[0]);
  with.erase(own);
  EXPECT_TRUE(with == without);
}

TEST_F(TiedDecisions, AllScoresAreThoseOfTheAnswers) {
  const FirstStageRanker ranker(decisions_);
  const auto queries = random_queries(decisions_, 48);
  const auto best = ranker.best(queries, {.k = 5000}, Context{});
  std::vector<int> taken(queries.size());
  ranker.read_scores(
      queries,
      [&](std::size_t i, std::span<const float> scores) {
        ++taken[i];
        EXPECT_EQ(scores.size(), best[i].size());
        for (const ScoredEntity& answer : best[i]) EXPECT_EQ(scores[index(answer.entity)], answer.score);
      },
      Context{.threads = 3});
  EXPECT_EQ(taken, std::vector<int>(queries.size(), 1));
}

TEST_F(TiedDecisions, TopAnswersAreTheFirstOfAFullSort) {
  const auto queries = random_queries(decisions_, 48);
  for (const graph::KnownFacts* known :
       {static_cast<const graph::KnownFacts*>(nullptr), &std::as_const(known_)}) {
    for (const std::size_t k : {0U, 1U, 10U, 100U, 5000U}) {
      const auto answers = FirstStageRanker(decisions_).best(queries, {k, known}, Context{.threads = 2});
      for (std::size_t i = 0; i < queries.size(); ++i) {
        std::vector<ScoredEntity> expected;
        for (std::uint32_t c = 0; c < 2300; ++c) {
          if (known == nullptr || !left_out(queries[i], c))
            expected.push_back({EntityId{c}, walked_margin(decisions_, fact(queries[i], c))});
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const ScoredEntity& a, const ScoredEntity& b) { return a.score > b.score; });
        expected.resize(std::min(k, expected.size()));
        ASSERT_TRUE(answers[i] == expected) << "k " << k << ", query " << i;
        ASSERT_TRUE(FirstStageRanker(decisions_).best({&queries[i], 1}, {k, known}, Context{})[0] ==
                    expected);
      }
    }
  }
}

}  // namespace
}  // namespace greenkgc::rank
