#include "rank/evaluate/proposals.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "greenkgc/complete.h"
#include "greenkgc/error.h"
#include "support/random_model.h"

namespace greenkgc {
namespace {

constexpr std::uint64_t kAllProposals = 1'000'000;

TEST(SampleHeads, AreChosenBySeedAndEachOnce) {
  const Model model = RandomModel({.entities = 60}).open();
  const HeadSample some = sample_heads(model, 20, Context{.seed = 1});
  ASSERT_EQ(some.heads.size(), 20U);
  EXPECT_TRUE(std::is_sorted(some.heads.begin(), some.heads.end()));
  EXPECT_EQ(std::adjacent_find(some.heads.begin(), some.heads.end()), some.heads.end());
  EXPECT_TRUE(some.contains(some.heads[7]));
  EXPECT_EQ(some.heads, sample_heads(model, 20, Context{.seed = 1}).heads);
  EXPECT_NE(some.heads, sample_heads(model, 20, Context{.seed = 2}).heads);
  for (const std::uint64_t count : {0, 60, 61}) EXPECT_TRUE(sample_heads(model, count, Context{}).all());
  EXPECT_TRUE(sample_heads(model, 0, Context{}).contains(EntityId{59}));
}

TEST(Propose, GivesWhatCompleteGivesForTheseHeads) {
  const Model model = RandomModel({.entities = 60, .relations = 4, .trees = 3, .depth = 3}, 130).open();
  std::vector<Answer> expected = complete(model, {.top = kAllProposals}, Context{});
  const HeadSample sample = sample_heads(model, 20, Context{});
  ASSERT_EQ(propose(model, {}, kAllProposals, Context{}).size(), expected.size());
  std::erase_if(expected, [&](const Answer& answer) { return !sample.contains(answer.fact.head); });
  ASSERT_GT(expected.size(), 100U);
  for (const int threads : {1, 3}) {
    const auto found = propose(model, sample, kAllProposals, Context{.threads = threads});
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].fact, expected[i].fact) << i;
      EXPECT_EQ(found[i].probability, expected[i].probability);
    }
  }
  EXPECT_EQ(propose(model, sample, 7, Context{}).size(), 7U);
}

TEST(Propose, NeedsFacts) {
  const Model model = RandomModel({.entities = 60}, 0).open();
  EXPECT_THROW(propose(model, {}, 10, Context{}), Error);
  EXPECT_THROW(propose(model, {{EntityId{1}}}, 10, Context{}), Error);
  EXPECT_THROW(propose_some(model, 10, Context{}), Error);
}

TEST(AffordableHeads, AreAllOfSmallGraphs) {
  EXPECT_EQ(affordable_heads(RandomModel({.entities = 60}).open(), Context{}), 0U);
  // 9,000 pairs (h, r) or so, in a graph where a query is cheap.
  const Model large = RandomModel({.entities = 3000, .relations = 4}, 20'000).open();
  const std::uint64_t heads = affordable_heads(large, Context{});
  EXPECT_GT(heads, 300U);
  EXPECT_LT(heads, 1500U);
}

}  // namespace
}  // namespace greenkgc
