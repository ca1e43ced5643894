#include "graph/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

struct Fact {
  std::uint32_t head;
  std::uint32_t relation;
  std::uint32_t tail;
};

// Ids become labels of the same number; the weight of the i-th fact is i.
Dataset dataset_of(const std::vector<Fact>& facts) {
  Dataset dataset;
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  Facts& train = dataset[Split::kTrain];
  for (const Fact& fact : facts) {
    train.weights.push_back(static_cast<float>(train.triples.size()));
    train.triples.push_back({EntityId{fact.head}, RelationId{fact.relation}, EntityId{fact.tail}});
    entities = std::max({entities, fact.head + 1, fact.tail + 1});
    relations = std::max(relations, fact.relation + 1);
  }
  for (std::uint32_t e = 0; e < entities; ++e) dataset.entities.intern(std::to_string(e));
  for (std::uint32_t r = 0; r < relations; ++r) dataset.relations.intern(std::to_string(r));
  return dataset;
}

struct RunOptions {
  std::uint64_t seed = 42;
  int threads = 1;
};

Dataset split(Dataset dataset, SplitShares shares, RunOptions options = {}) {
  Context context;
  context.seed = options.seed;
  context.threads = options.threads;
  split_train(dataset, shares, context);
  return dataset;
}

std::size_t count(const Dataset& dataset, Split part) {
  return dataset[part].triples.size();
}

std::vector<Triple> all_facts(const Dataset& dataset) {
  std::vector<Triple> facts;
  for (const Facts& part : dataset.splits)
    facts.insert(facts.end(), part.triples.begin(), part.triples.end());
  std::sort(facts.begin(), facts.end());
  return facts;
}

// Nothing is lost, weights and order are kept, and train has all entities and relations that it had.
void check_split(const Dataset& before, const Dataset& after) {
  EXPECT_EQ(all_facts(before), all_facts(after));
  const std::vector<Triple>& original = before[Split::kTrain].triples;
  for (const Split part : {Split::kTrain, Split::kValid, Split::kTest}) {
    const Facts& facts = after[part];
    ASSERT_EQ(facts.weights.size(), facts.triples.size());
    EXPECT_TRUE(std::is_sorted(facts.weights.begin(), facts.weights.end()));
    for (std::size_t i = 0; i < facts.triples.size(); ++i) {
      EXPECT_EQ(facts.triples[i], original[static_cast<std::size_t>(facts.weights[i])]);
    }
  }
  std::set<EntityId> entities;
  std::set<RelationId> relations;
  for (const Triple& fact : after[Split::kTrain].triples) {
    entities.insert({fact.head, fact.tail});
    relations.insert(fact.relation);
  }
  for (const Triple& fact : original) {
    EXPECT_TRUE(entities.contains(fact.head) && entities.contains(fact.tail));
    EXPECT_TRUE(relations.contains(fact.relation));
  }
}

std::vector<Fact> dense(std::uint32_t entities, std::uint32_t relations) {
  std::vector<Fact> facts;
  for (std::uint32_t h = 0; h < entities; ++h) {
    for (std::uint32_t r = 0; r < relations; ++r) {
      for (std::uint32_t t = 0; t < entities; ++t) facts.push_back({h, r, t});
    }
  }
  return facts;
}

std::vector<Fact> sparse(std::uint32_t entities, std::uint32_t relations, std::size_t n) {
  const CounterRandom random(9, 9);
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < n; ++i) {
    facts.push_back({static_cast<std::uint32_t>(random.below(entities, 3 * i)),
                     static_cast<std::uint32_t>(random.below(relations, 3 * i + 1)),
                     static_cast<std::uint32_t>(random.below(entities, 3 * i + 2))});
  }
  return facts;
}

TEST(SplitTrain, CountsAreTheRoundedSharesWhereFactsAbound) {
  const Dataset before = dataset_of(dense(10, 7));  // 700 facts
  for (const auto& [shares, valid, test] :
       std::vector<std::tuple<SplitShares, std::size_t, std::size_t>>{{{0.05, 0.05}, 35, 35},
                                                                      {{0.1, 0.3}, 70, 210},
                                                                      {{0.0501, 0.0499}, 35, 35},
                                                                      {{0.0, 0.2}, 0, 140},
                                                                      {{0.2, 0.0}, 140, 0},
                                                                      {{0.0, 0.0}, 0, 0},
                                                                      {{0.0006, 0.0008}, 0, 1}}) {
    const Dataset after = split(before, shares);
    EXPECT_EQ(count(after, Split::kValid), valid);
    EXPECT_EQ(count(after, Split::kTest), test);
    check_split(before, after);
  }
}

TEST(SplitTrain, SparseGraphsKeepEveryEntityAndRelation) {
  for (const std::size_t facts : {1, 2, 3, 10, 100, 1000, 5000}) {
    const Dataset before = dataset_of(sparse(300, 40, facts));
    check_split(before, split(before, {0.3, 0.3}));
  }
}

TEST(SplitTrain, AskedForEverythingItMovesWhatItCanInProportion) {
  const Dataset before = dataset_of(dense(20, 3));  // 1,200 facts
  const Dataset after = split(before, {0.75, 0.25});
  check_split(before, after);
  // Each training fact left is the last one of its head or of its tail.
  EXPECT_LE(count(after, Split::kTrain), 20U);
  const double ratio =
      static_cast<double>(count(after, Split::kValid)) / static_cast<double>(count(after, Split::kTest));
  EXPECT_NEAR(ratio, 3, 0.02);
}

TEST(SplitTrain, StarHasNothingToMove) {
  std::vector<Fact> star;
  for (std::uint32_t leaf = 1; leaf < 100; ++leaf) star.push_back({0, 0, leaf});
  const Dataset before = dataset_of(star);
  EXPECT_EQ(count(split(before, {0.4, 0.4}), Split::kTrain), 99U);
}

TEST(SplitTrain, ChainOfDistinctRelationsHasNothingToMove) {
  std::vector<Fact> chain;
  for (std::uint32_t i = 0; i < 100; ++i) chain.push_back({i, i, i + 1});
  EXPECT_EQ(count(split(dataset_of(chain), {0.4, 0.4}), Split::kTrain), 100U);
}

// Every entity keeps a link, so 51 of 100 have to stay; of three in a row the middle one can go, so at
// most 67.
TEST(SplitTrain, ChainOfOneRelationKeepsALinkForEachEntity) {
  std::vector<Fact> chain;
  for (std::uint32_t i = 0; i < 100; ++i) chain.push_back({i, 0, i + 1});
  const Dataset before = dataset_of(chain);
  const Dataset after = split(before, {0.5, 0.5});
  check_split(before, after);
  EXPECT_GE(count(after, Split::kTrain), 51U);
  EXPECT_LE(count(after, Split::kTrain), 67U);
}

TEST(SplitTrain, SelfLoopIsOneFactOfItsEntity) {
  EXPECT_EQ(count(split(dataset_of({{0, 0, 0}, {1, 0, 1}, {2, 0, 2}}), {0.5, 0.5}), Split::kTrain), 3U);
  const Dataset before = dataset_of({{0, 0, 0}, {0, 0, 1}, {1, 0, 2}, {2, 0, 0}});
  check_split(before, split(before, {0.5, 0.5}));
}

TEST(SplitTrain, CopiesStayTogetherInTrain) {
  std::vector<Fact> facts = dense(8, 2);
  const std::vector<Fact> copies(facts.begin() + 30, facts.begin() + 60);
  facts.insert(facts.end(), copies.begin(), copies.end());
  const Dataset before = dataset_of(facts);
  const Dataset after = split(before, {0.25, 0.25});
  check_split(before, after);
  EXPECT_EQ(count(after, Split::kValid), 40U);  // a quarter of 128 + 30 lines, rounded
  EXPECT_EQ(count(after, Split::kTest), 40U);
  const std::vector<Triple>& train = after[Split::kTrain].triples;
  for (const Fact& fact : copies) {
    const Triple triple{EntityId{fact.head}, RelationId{fact.relation}, EntityId{fact.tail}};
    EXPECT_EQ(std::count(train.begin(), train.end(), triple), 2);
  }
}

TEST(SplitTrain, SameSeedSameSplitForAnyNumberOfThreads) {
  const Dataset before = dataset_of(sparse(2000, 10, 100'000));
  const Dataset first = split(before, {0.1, 0.1}, {.seed = 1, .threads = 1});
  for (const int threads : {1, 2, 5}) {
    const Dataset again = split(before, {0.1, 0.1}, {.seed = 1, .threads = threads});
    EXPECT_TRUE(again[Split::kValid].triples == first[Split::kValid].triples);
    EXPECT_TRUE(again[Split::kTest].triples == first[Split::kTest].triples);
  }
  const Dataset other = split(before, {0.1, 0.1}, {.seed = 2, .threads = 1});
  EXPECT_FALSE(other[Split::kValid].triples == first[Split::kValid].triples);
}

TEST(SplitTrain, EachFactHasTheSameChance) {
  const Dataset before = dataset_of(dense(5, 2));  // 50 facts
  constexpr int kRuns = 2000;
  std::vector<int> in_valid(50);
  std::vector<int> in_test(50);
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const Dataset after = split(before, {0.1, 0.2}, {.seed = seed});
    for (const float weight : after[Split::kValid].weights) ++in_valid[static_cast<std::size_t>(weight)];
    for (const float weight : after[Split::kTest].weights) ++in_test[static_cast<std::size_t>(weight)];
  }
  // 200 and 400 expected; five standard deviations.
  for (const int n : in_valid) EXPECT_NEAR(n, kRuns * 0.1, 5 * std::sqrt(kRuns * 0.1 * 0.9));
  for (const int n : in_test) EXPECT_NEAR(n, kRuns * 0.2, 5 * std::sqrt(kRuns * 0.2 * 0.8));
}

TEST(SplitTrain, WithoutWeightsThereAreNone) {
  Dataset dataset = dataset_of(dense(5, 2));
  dataset[Split::kTrain].weights.clear();
  const Dataset after = split(dataset, {0.1, 0.1});
  EXPECT_EQ(count(after, Split::kTest), 5U);
  for (const Facts& part : after.splits) EXPECT_TRUE(part.weights.empty());
}

TEST(SplitTrain, EmptyTrainStaysEmpty) {
  const Dataset after = split(Dataset{}, {0.1, 0.1});
  for (const Facts& part : after.splits) EXPECT_TRUE(part.triples.empty());
}

TEST(SplitTrain, SharesThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SplitShares shares : {SplitShares{-0.1, 0.1}, {0.1, -0.1}, {0.6, 0.6}, {nan, 0.1}, {0.1, nan}}) {
    try {
      split(dataset_of(dense(3, 1)), shares);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
    }
  }
}

TEST(SplitTrain, InterruptedItLeavesTheGraphAsItWas) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  Dataset dataset = dataset_of(dense(5, 2));
  try {
    split_train(dataset, {0.1, 0.1}, context);
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
  EXPECT_EQ(count(dataset, Split::kTrain), 50U);
}

}  // namespace
}  // namespace greenkgc::graph
