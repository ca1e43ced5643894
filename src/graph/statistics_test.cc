#include "graph/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
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

struct GraphSize {
  std::uint32_t entities;
  std::uint32_t relations;
};

Dataset make_dataset(const GraphSize& size, const std::map<Split, std::vector<Fact>>& splits) {
  Dataset dataset;
  for (std::uint32_t e = 0; e < size.entities; ++e) dataset.entities.intern(std::to_string(e));
  for (std::uint32_t r = 0; r < size.relations; ++r) dataset.relations.intern(std::to_string(r));
  for (const auto& [split, facts] : splits) {
    for (const Fact& fact : facts) {
      dataset[split].triples.push_back({EntityId{fact.head}, RelationId{fact.relation}, EntityId{fact.tail}});
    }
  }
  return dataset;
}

GraphStats stats_of_train(const GraphSize& size, const std::vector<Fact>& train) {
  return statistics(make_dataset(size, {{Split::kTrain, train}}), Context{});
}

const SplitStats& part(const GraphStats& stats, Split split) {
  return *std::find_if(stats.splits.begin(), stats.splits.end(),
                       [split](const SplitStats& s) { return s.split == split; });
}

TEST(Statistics, EmptyGraph) {
  const GraphStats stats = statistics(Dataset{}, Context{});
  EXPECT_EQ(stats.entities, 0U);
  EXPECT_EQ(stats.relations, 0U);
  EXPECT_TRUE(stats.splits.empty());
  EXPECT_TRUE(stats.by_relation.empty());
  EXPECT_TRUE(stats.inverse_pairs.empty());
  ASSERT_EQ(stats.degrees.size(), 1U);
  EXPECT_EQ(stats.degrees[0].entities, 0U);
  EXPECT_EQ(stats.mean_degree, 0);
  EXPECT_EQ(stats.max_degree_entity, kNoEntity);
}

TEST(Statistics, GraphWithoutTrain) {
  const GraphStats stats = statistics(make_dataset({3, 1}, {{Split::kTest, {{0, 0, 1}}}}), Context{});
  EXPECT_EQ(stats.unseen_entities, 3U);
  EXPECT_EQ(stats.max_degree_entity, kNoEntity);
  EXPECT_EQ(stats.median_degree, 0U);
  ASSERT_EQ(stats.splits.size(), 1U);
  EXPECT_EQ(stats.splits[0].unseen_entity, 1U);
  EXPECT_EQ(stats.splits[0].unseen_relation, 1U);
  EXPECT_EQ(stats.splits[0].tail_in_range, 0);
  EXPECT_EQ(stats.by_relation[0].test, 1U);
  EXPECT_EQ(stats.by_relation[0].tails_per_head, 0);
  EXPECT_EQ(stats.category_relations, (std::array<std::uint32_t, 4>{}));
}

TEST(Statistics, RelationTable) {
  const Dataset dataset = make_dataset(
      {6, 3}, {{Split::kTrain, {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {4, 0, 3}, {0, 0, 1}, {5, 1, 5}}},
               {Split::kValid, {{0, 0, 4}, {0, 0, 4}, {0, 2, 1}}},
               {Split::kTest, {{1, 1, 1}, {2, 1, 2}}},
               {Split::kTestNegatives, {{3, 1, 3}}}});
  const GraphStats stats = statistics(dataset, Context{});
  EXPECT_EQ(stats.entities, 6U);
  EXPECT_EQ(stats.relations, 3U);
  ASSERT_EQ(stats.by_relation.size(), 3U);
  const RelationStats& first = stats.by_relation[0];
  EXPECT_EQ(first.relation, RelationId{0});
  EXPECT_EQ(first.train, 4U);
  EXPECT_EQ(first.valid, 1U);
  EXPECT_EQ(first.test, 0U);
  EXPECT_EQ(first.heads, 2U);
  EXPECT_EQ(first.tails, 3U);
  EXPECT_DOUBLE_EQ(first.tails_per_head, 4.0 / 2);
  EXPECT_DOUBLE_EQ(first.heads_per_tail, 4.0 / 3);
  EXPECT_EQ(first.category, RelationCategory::kOneToN);
  EXPECT_EQ(stats.by_relation[1].train, 1U);
  EXPECT_EQ(stats.by_relation[1].test, 2U);
  EXPECT_EQ(stats.by_relation[2].train, 0U);
  EXPECT_EQ(stats.by_relation[2].valid, 1U);
}

TEST(Statistics, CategoriesTurnAtOneAndAHalf) {
  // Relation 0: 3 facts of 2 heads and 3 tails. 1: its mirror. 2: 2 of 2 and 2. 3: 3 of 2 and 2.
  // 4: 4 facts of 3 heads and 4 tails, just below 1.5.
  const GraphStats stats = stats_of_train({9, 6}, {{0, 0, 1},
                                                   {0, 0, 2},
                                                   {3, 0, 4},
                                                   {1, 1, 0},
                                                   {2, 1, 0},
                                                   {4, 1, 3},
                                                   {0, 2, 1},
                                                   {1, 2, 2},
                                                   {0, 3, 5},
                                                   {0, 3, 6},
                                                   {1, 3, 5},
                                                   {0, 4, 5},
                                                   {0, 4, 6},
                                                   {1, 4, 7},
                                                   {2, 4, 8}});
  std::vector<std::string> names;
  for (const RelationStats& relation : stats.by_relation)
    names.emplace_back(category_name(relation.category));
  EXPECT_EQ(names, (std::vector<std::string>{"1-N", "N-1", "1-1", "N-N", "1-1", "1-1"}));
  EXPECT_EQ(stats.category_relations, (std::array<std::uint32_t, 4>{2, 1, 1, 1}));  // 5 has no facts
  EXPECT_EQ(stats.category_triples, (std::array<std::uint64_t, 4>{6, 3, 3, 3}));
}

TEST(Statistics, Degrees) {
  // Out and in: entity 0 has 5, 1 has 2 (a self-loop), 2 to 5 have 1 each, 6 has 0.
  const GraphStats stats =
      stats_of_train({7, 2}, {{0, 0, 2}, {0, 0, 3}, {0, 0, 3}, {4, 0, 0}, {5, 0, 0}, {1, 0, 1}, {0, 1, 3}});
  EXPECT_EQ(stats.max_degree, 5U);
  EXPECT_EQ(stats.max_degree_entity, EntityId{0});
  EXPECT_DOUBLE_EQ(stats.mean_degree, 12.0 / 7);
  EXPECT_EQ(stats.median_degree, 1U);  // of 0 1 1 1 2 2 5
  EXPECT_EQ(stats.unseen_entities, 1U);
  std::vector<std::array<std::uint64_t, 3>> buckets;
  for (const DegreeBucket& bucket : stats.degrees)
    buckets.push_back({bucket.from, bucket.to, bucket.entities});
  EXPECT_EQ(buckets, (std::vector<std::array<std::uint64_t, 3>>{{0, 0, 1}, {1, 1, 3}, {2, 3, 2}, {4, 7, 1}}));
}

TEST(Statistics, MedianIsTheLowerMiddleAndTheFirstOfEqualsIsTheLargest) {
  const GraphStats stats = stats_of_train({4, 1}, {{2, 0, 3}, {3, 0, 2}, {2, 0, 0}, {3, 0, 1}});
  EXPECT_EQ(stats.median_degree, 1U);  // of 1 1 3 3
  EXPECT_EQ(stats.max_degree_entity, EntityId{2});
}

TEST(Statistics, TrainIsNotComparedWithItself) {
  const GraphStats stats = stats_of_train({3, 1}, {{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {2, 0, 2}, {0, 0, 1}});
  ASSERT_EQ(stats.splits.size(), 1U);
  const SplitStats& train = stats.splits[0];
  EXPECT_EQ(train.split, Split::kTrain);
  EXPECT_EQ(train.triples, 5U);
  EXPECT_EQ(train.duplicates, 2U);
  EXPECT_EQ(train.self_loops, 1U);
  EXPECT_EQ(train.in_train + train.inverse_in_train + train.pair_linked, 0U);
  EXPECT_EQ(train.unseen_entity + train.unseen_relation, 0U);
  EXPECT_EQ(train.head_in_range, 1);
  EXPECT_EQ(train.tail_in_range, 1);
}

TEST(Statistics, OtherSplitsAreComparedWithTrain) {
  // Relation 0 is symmetric, 1 and 2 are inverse, 3 stands alone, 4 is not in train; 6 and 7 neither.
  const std::vector<Fact> train = {{0, 0, 1}, {1, 0, 0}, {2, 0, 3}, {3, 0, 2}, {0, 1, 2},
                                   {2, 2, 0}, {4, 1, 5}, {5, 2, 4}, {1, 3, 4}};
  const std::vector<Fact> test = {
      {0, 0, 1},  // in train, and backwards too; linked
      {0, 0, 1},  // once more
      {1, 3, 5},  // new; head in range, tail not
      {4, 3, 1},  // linked backwards by 3, which is no inverse of itself; neither end in range
      {2, 1, 0},  // linked both ways, but backwards only by 1 itself
      {5, 2, 0},  // new, both ends in range
      {3, 0, 3},  // self-loop, both ends in range
      {6, 0, 0},  // unseen head, tail in range
      {6, 1, 7},  // both unseen
      {0, 4, 3},  // unseen relation
      {3, 1, 2},  // linked both ways by 0, which is no inverse of 1; tail in range
  };
  const Dataset dataset = make_dataset(
      {8, 5}, {{Split::kTrain, train}, {Split::kTest, test}, {Split::kValidNegatives, {{1, 3, 4}}}});
  const GraphStats stats = statistics(dataset, Context{});
  ASSERT_EQ(stats.splits.size(), 3U);
  const SplitStats& counts = part(stats, Split::kTest);
  EXPECT_EQ(counts.triples, 11U);
  EXPECT_EQ(counts.duplicates, 1U);
  EXPECT_EQ(counts.self_loops, 1U);
  EXPECT_EQ(counts.in_train, 2U);
  EXPECT_EQ(counts.inverse_in_train, 2U);
  EXPECT_EQ(counts.pair_linked, 5U);
  EXPECT_EQ(counts.unseen_entity, 2U);
  EXPECT_EQ(counts.unseen_relation, 1U);
  EXPECT_DOUBLE_EQ(counts.head_in_range, 5.0 / 11);
  EXPECT_DOUBLE_EQ(counts.tail_in_range, 6.0 / 11);
  const SplitStats& negatives = part(stats, Split::kValidNegatives);
  EXPECT_EQ(negatives.in_train, 1U);
  EXPECT_EQ(negatives.head_in_range, 1);
}

TEST(Statistics, InverseInEitherOrderIsLeakage) {
  // All of 0's facts are said backwards by 1, but only half of 1's by 0.
  const std::vector<Fact> train = {{0, 0, 1}, {2, 0, 3}, {1, 1, 0}, {3, 1, 2}, {5, 1, 4}, {7, 1, 6}};
  const Dataset dataset = make_dataset(
      {10, 2},
      {{Split::kTrain, train}, {Split::kTest, {{4, 0, 5}}}, {Split::kValid, {{3, 1, 2}, {8, 1, 9}}}});
  const GraphStats stats = statistics(dataset, Context{});
  ASSERT_EQ(stats.inverse_pairs.size(), 1U);
  EXPECT_EQ(stats.inverse_pairs[0].relation, RelationId{0});
  EXPECT_EQ(stats.inverse_pairs[0].inverse, RelationId{1});
  EXPECT_EQ(stats.inverse_pairs[0].facts, 2U);
  EXPECT_EQ(stats.inverse_pairs[0].overlap, 1);
  EXPECT_EQ(part(stats, Split::kTest).inverse_in_train, 1U);
  EXPECT_EQ(part(stats, Split::kValid).inverse_in_train, 1U);
}

TEST(Statistics, PairsNeedFourOfFiveFactsAndTheLargestComeFirst) {
  // Relation 0: 4 of 5 facts symmetric. 1: 7 of 9 (6 both ways and a self-loop). 2 and 3: all 6 inverse.
  std::vector<Fact> train = {{0, 0, 1}, {1, 0, 0}, {2, 0, 3}, {3, 0, 2}, {4, 0, 5}, {0, 1, 1}, {1, 1, 0},
                             {2, 1, 3}, {3, 1, 2}, {4, 1, 5}, {5, 1, 4}, {6, 1, 6}, {7, 1, 8}, {8, 1, 9}};
  for (std::uint32_t i = 10; i < 16; ++i) {
    train.push_back({i, 2, i + 10});
    train.push_back({i + 10, 3, i});
  }
  const GraphStats stats = stats_of_train({30, 4}, train);
  EXPECT_DOUBLE_EQ(stats.by_relation[0].symmetry, 0.8);
  EXPECT_DOUBLE_EQ(stats.by_relation[1].symmetry, 7.0 / 9);
  EXPECT_EQ(stats.by_relation[2].symmetry, 0);
  std::vector<std::array<std::uint64_t, 3>> pairs;
  for (const InversePair& pair : stats.inverse_pairs)
    pairs.push_back({index(pair.relation), index(pair.inverse), pair.facts});
  // Besides, 1 says all of 0's facts backwards, and 0 only 5 of 1's.
  EXPECT_EQ(pairs, (std::vector<std::array<std::uint64_t, 3>>{{2, 3, 6}, {3, 2, 6}, {0, 1, 5}, {0, 0, 4}}));
}

// The same by its definition, one line after another.
struct BruteForce {
  std::set<Triple> train;
  std::map<RelationId, std::uint64_t> facts;
  std::map<std::pair<RelationId, RelationId>, std::uint64_t> backwards;
  std::set<std::pair<RelationId, RelationId>> inverse;  // in both orders

  explicit BruteForce(const std::vector<Triple>& lines) : train(lines.begin(), lines.end()) {
    for (const Triple& fact : train) {
      ++facts[fact.relation];
      for (const Triple& other : train) {
        if (other.head == fact.tail && other.tail == fact.head) ++backwards[{fact.relation, other.relation}];
      }
    }
    for (const auto& [pair, n] : backwards) {
      if (5 * n < 4 * facts[pair.first]) continue;
      inverse.insert(pair);
      inverse.insert({pair.second, pair.first});
    }
  }
  template <class Condition>
  bool any(const Condition& condition) const {
    return std::any_of(train.begin(), train.end(), condition);
  }
  SplitStats compare(Split split, const std::vector<Triple>& lines) const {
    SplitStats counts{.split = split, .triples = lines.size()};
    counts.duplicates = lines.size() - std::set<Triple>(lines.begin(), lines.end()).size();
    for (const Triple& l : lines) {
      counts.self_loops += l.head == l.tail;
      counts.in_train += train.contains(l);
      counts.inverse_in_train += any([&](const Triple& f) {
        return f.head == l.tail && f.tail == l.head && inverse.contains({l.relation, f.relation});
      });
      counts.pair_linked += any([&](const Triple& f) {
        return (f.head == l.head && f.tail == l.tail) || (f.head == l.tail && f.tail == l.head);
      });
      const auto unseen = [&](EntityId e) {
        return !any([e](const Triple& f) { return f.head == e || f.tail == e; });
      };
      counts.unseen_entity += unseen(l.head) || unseen(l.tail);
      counts.unseen_relation += !facts.contains(l.relation);
      const double line = 1.0 / static_cast<double>(lines.size());
      if (any([&](const Triple& f) { return f.relation == l.relation && f.head == l.head; }))
        counts.head_in_range += line;
      if (any([&](const Triple& f) { return f.relation == l.relation && f.tail == l.tail; }))
        counts.tail_in_range += line;
    }
    return counts;
  }
};

// A graph with symmetric (0, 1), inverse (2 and 3), loose and rare relations, and some of each missing.
Dataset random_dataset(std::uint32_t entities, std::size_t facts) {
  const CounterRandom random(11, 1);
  std::uint64_t counter = 0;
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random.below(n, counter++)); };
  std::map<Split, std::vector<Fact>> splits;
  const auto add = [&](const Fact& fact) {
    const std::uint32_t dice = below(20);
    splits[dice == 0 ? Split::kTest : dice == 1 ? Split::kValid : Split::kTrain].push_back(fact);
  };
  for (std::size_t i = 0; i < facts; ++i) {
    const Fact fact{below(entities), below(12), below(entities)};
    add(fact);
    if (fact.relation < 2) add({fact.tail, fact.relation, fact.head});
    if (fact.relation == 2) add({fact.tail, 3, fact.head});
    if (below(20) == 0) add(fact);
    if (below(20) == 0) add({fact.head, fact.relation, fact.head});
  }
  splits[Split::kTest].push_back({0, 12, 1});
  return make_dataset({entities + 2, 13}, splits);
}

void expect_equal(const SplitStats& a, const SplitStats& b) {
  EXPECT_EQ(a.triples, b.triples);
  EXPECT_EQ(a.duplicates, b.duplicates);
  EXPECT_EQ(a.self_loops, b.self_loops);
  EXPECT_EQ(a.in_train, b.in_train);
  EXPECT_EQ(a.inverse_in_train, b.inverse_in_train);
  EXPECT_EQ(a.pair_linked, b.pair_linked);
  EXPECT_EQ(a.unseen_entity, b.unseen_entity);
  EXPECT_EQ(a.unseen_relation, b.unseen_relation);
  EXPECT_NEAR(a.head_in_range, b.head_in_range, 1e-9);
  EXPECT_NEAR(a.tail_in_range, b.tail_in_range, 1e-9);
}

TEST(Statistics, RandomGraphsAgreeWithBruteForce) {
  for (const auto& [entities, facts] : {std::pair{8U, 60U}, {40U, 600U}, {300U, 600U}}) {
    SCOPED_TRACE(entities);
    const Dataset dataset = random_dataset(entities, facts);
    const BruteForce expected(dataset[Split::kTrain].triples);
    const GraphStats stats = statistics(dataset, Context{});
    std::size_t pairs = 0;
    for (const auto& [pair, n] : expected.backwards) {
      const std::uint64_t all = expected.facts.at(pair.first);
      if (5 * n < 4 * all) continue;
      ++pairs;
      const bool found = std::any_of(
          stats.inverse_pairs.begin(), stats.inverse_pairs.end(), [&, p = pair, m = n](const InversePair& i) {
            return i.relation == p.first && i.inverse == p.second && i.facts == m &&
                   i.overlap == static_cast<double>(m) / static_cast<double>(all);
          });
      EXPECT_TRUE(found) << index(pair.first) << " " << index(pair.second);
    }
    EXPECT_EQ(stats.inverse_pairs.size(), pairs);
    EXPECT_GE(pairs, 3U);
    for (const RelationStats& relation : stats.by_relation) {
      const auto symmetric = expected.backwards.find({relation.relation, relation.relation});
      const double n = symmetric == expected.backwards.end() ? 0 : static_cast<double>(symmetric->second);
      EXPECT_DOUBLE_EQ(relation.symmetry, relation.train == 0 ? 0 : n / static_cast<double>(relation.train));
    }
    for (const Split split : {Split::kValid, Split::kTest})
      expect_equal(part(stats, split), expected.compare(split, dataset[split].triples));
  }
}

TEST(Statistics, SameForAnyNumberOfThreads) {
  const Dataset dataset = random_dataset(20'000, 60'000);
  Context context;
  context.threads = 1;
  const GraphStats one = statistics(dataset, context);
  for (const int threads : {2, 5}) {
    context.threads = threads;
    const GraphStats many = statistics(dataset, context);
    ASSERT_EQ(many.inverse_pairs.size(), one.inverse_pairs.size());
    for (std::size_t i = 0; i < one.inverse_pairs.size(); ++i) {
      EXPECT_EQ(many.inverse_pairs[i].relation, one.inverse_pairs[i].relation);
      EXPECT_EQ(many.inverse_pairs[i].facts, one.inverse_pairs[i].facts);
    }
    for (const Split split : {Split::kTrain, Split::kValid, Split::kTest}) {
      expect_equal(part(many, split), part(one, split));
    }
    for (std::size_t r = 0; r < one.by_relation.size(); ++r)
      EXPECT_EQ(many.by_relation[r].symmetry, one.by_relation[r].symmetry);
  }
}

// 1,000 links each way between two entities would make a million pairs of relations, all of them inverse.
TEST(Statistics, ManyLinksBetweenTwoEntitiesAreCutOff) {
  std::vector<Fact> train;
  for (std::uint32_t r = 0; r < 1000; ++r) {
    train.push_back({0, 2 * r, 1});
    train.push_back({1, 2 * r + 1, 0});
  }
  train.push_back({1, 1998, 0});
  const GraphStats stats = stats_of_train({2, 2000}, train);
  EXPECT_EQ(stats.inverse_pairs.size(), 1999U * 16);  // 1998 goes both ways, so none covers more than half
  EXPECT_EQ(stats.by_relation[1998].symmetry, 1) << "symmetry is exact all the same";
}

// Look-ups by pairs of neighbors would take minutes.
TEST(Statistics, HubWithLinksBothWays) {
  constexpr std::uint32_t kSpokes = 100'000;
  std::vector<Fact> train;
  for (std::uint32_t i = 1; i <= kSpokes; ++i) {
    train.push_back({0, 0, i});
    train.push_back({i, 1, 0});
    if (i % 2 == 0) train.push_back({i, 0, 0});
  }
  const GraphStats stats = stats_of_train({kSpokes + 1, 2}, train);
  EXPECT_EQ(stats.max_degree, 2 * kSpokes + kSpokes / 2);
  EXPECT_DOUBLE_EQ(stats.by_relation[0].symmetry, 2.0 / 3);
  ASSERT_EQ(stats.inverse_pairs.size(), 1U);  // 1 says two thirds of 0 backwards, 0 says all of 1
  EXPECT_EQ(stats.inverse_pairs[0].relation, RelationId{1});
  EXPECT_EQ(stats.inverse_pairs[0].facts, kSpokes);
}

TEST(Statistics, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  try {
    statistics(random_dataset(20, 100), context);
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

}  // namespace
}  // namespace greenkgc::graph
