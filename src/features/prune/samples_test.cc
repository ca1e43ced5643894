#include "features/prune/samples.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace greenkgc::features {
namespace {

Triple fact(std::uint32_t h, std::uint32_t r, std::uint32_t t) {
  return {EntityId{h}, RelationId{r}, EntityId{t}};
}

class SamplesTest : public testing::Test {
 protected:
  SamplesTest() {
    for (std::uint32_t i = 0; i < 60; ++i) facts_.push_back(fact(i % 20, i % 3, (i * 7 + 1) % 20));
  }
  std::vector<SampleSet> draw(const std::vector<std::uint32_t>& group_of, std::size_t groups,
                              std::uint64_t most, const Context& context = {}) const {
    const graph::KnownFacts known(std::array<std::span<const Triple>, 1>{facts_}, 20, context);
    return draw_samples({facts_, known, 20}, group_of, groups, most, context);
  }
  std::vector<Triple> facts_;
};

TEST_F(SamplesTest, CorruptedFactsDifferInOneEndAndAreNotKnown) {
  const auto sets = draw({0, 1, 0}, 2, 0);
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].positives, 40U);
  EXPECT_EQ(sets[1].positives, 20U);
  const std::set<Triple> known(facts_.begin(), facts_.end());
  for (const SampleSet& samples : sets) {
    ASSERT_EQ(samples.negatives(), samples.positives);
    std::size_t heads_changed = 0;
    for (std::size_t i = 0; i < samples.positives; ++i) {
      const std::size_t j = samples.positives + i;
      EXPECT_TRUE(known.contains(fact(samples.heads[i], samples.relations[i], samples.tails[i])));
      EXPECT_FALSE(known.contains(fact(samples.heads[j], samples.relations[j], samples.tails[j])));
      EXPECT_EQ(samples.relations[i], samples.relations[j]);
      const bool head = samples.heads[i] != samples.heads[j];
      const bool tail = samples.tails[i] != samples.tails[j];
      EXPECT_NE(head, tail);
      heads_changed += head ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(heads_changed), static_cast<double>(samples.positives) / 2, 1);
  }
}

TEST_F(SamplesTest, GroupsDoNotChangeWhatIsDrawnForAFact) {
  const auto together = draw({0, 0, 0}, 1, 0);
  const auto apart = draw({0, 1, 2}, 3, 0);
  std::multiset<Triple> one;
  std::multiset<Triple> three;
  const auto collect = [](const SampleSet& s, std::multiset<Triple>& out) {
    for (std::size_t i = 0; i < s.size(); ++i) out.insert(fact(s.heads[i], s.relations[i], s.tails[i]));
  };
  collect(together[0], one);
  for (const SampleSet& samples : apart) collect(samples, three);
  EXPECT_EQ(one, three);
}

TEST_F(SamplesTest, BoundedAndSeeded) {
  const auto some = draw({0, 0, 0}, 1, 10);
  EXPECT_EQ(some[0].positives, 10U);
  EXPECT_EQ(some[0].heads, draw({0, 0, 0}, 1, 10, Context{.threads = 3})[0].heads);
  EXPECT_NE(some[0].heads, draw({0, 0, 0}, 1, 10, Context{.seed = 1})[0].heads);
}

// Every entity is a known tail of (0, r): only heads can be corrupted.
TEST_F(SamplesTest, AFactWithoutFalseDoubleHasNone) {
  facts_.clear();
  for (std::uint32_t t = 0; t < 20; ++t) facts_.push_back(fact(0, 0, t));
  const auto sets = draw({0}, 1, 0);
  EXPECT_EQ(sets[0].positives, 20U);
  EXPECT_EQ(sets[0].negatives(), 10U);
}

}  // namespace
}  // namespace greenkgc::features
