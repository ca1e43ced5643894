#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "greenkgc/error.h"
#include "support/random_model.h"

namespace greenkgc {
namespace {

constexpr rank::DecisionsSize kSize = {.entities = 80, .relations = 4};

double sum_of_parts(const Explanation& explanation) {
  const BaseParts& base = explanation.base;
  double sum =
      base.constant + base.score + base.head_count + base.tail_count + base.self + explanation.trees_expected;
  for (const Contribution& contribution : explanation.contributions) sum += contribution.total();
  return sum;
}

// The rank among all answers to the question, from predict.
double rank_among(const std::vector<Answer>& answers, const Answer& explained, EntityId Triple::*end) {
  std::vector<float> others;
  float own = explained.margin;
  for (const Answer& answer : answers) {
    if (answer.fact.*end == explained.fact.*end) {
      own = answer.margin;
    } else if (!answer.known) {
      others.push_back(answer.margin);
    }
  }
  const auto better = std::count_if(others.begin(), others.end(), [&](float m) { return m > own; });
  const auto equal = std::count(others.begin(), others.end(), own);
  return 1 + static_cast<double>(better) + static_cast<double>(equal) / 2;
}

void expect_consistent(const RandomModel& files) {
  const Model model = files.open();
  const PredictOptions all{.top_k = 0, .include_known = true};
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Triple fact{EntityId{i}, RelationId{i % 4}, EntityId{i * 3 % 80}};
    const Explanation explanation = model.explain(fact, 5, Context{});
    EXPECT_NEAR(sum_of_parts(explanation), static_cast<double>(explanation.answer.margin), 1e-4);
    EXPECT_EQ(explanation.answer.known, files.is_known(fact));
    const auto tails = model.predict_tails(fact.head, fact.relation, all, Context{});
    const auto heads = model.predict_heads(fact.relation, fact.tail, all, Context{});
    EXPECT_EQ(explanation.tail_rank, rank_among(tails, explanation.answer, &Triple::tail));
    EXPECT_EQ(explanation.head_rank, rank_among(heads, explanation.answer, &Triple::head));
    const auto& contributions = explanation.contributions;
    EXPECT_TRUE(std::is_sorted(contributions.begin(), contributions.end(), [](const auto& a, const auto& b) {
      return std::abs(a.total()) > std::abs(b.total());
    }));
  }
}

TEST(Explain, PartsAddUpAndRanksAreThoseOfPredict) {
  expect_consistent(RandomModel(kSize, 3000));
  expect_consistent(RandomModel(kSize, 3000, true));
}

TEST(Explain, SupportAreTheMostSimilarKnownFacts) {
  const RandomModel files(kSize, 3000);
  const Model model = files.open();
  const Triple fact{EntityId{5}, RelationId{1}, EntityId{6}};
  std::vector<SupportingFact> expected;
  for (std::uint32_t e = 0; e < 80; ++e) {
    const auto similarity = [&](EntityId to) {
      for (const Neighbor& near : model.neighbors(to, fact.relation, 80, Context{})) {
        if (near.entity == EntityId{e}) return near.similarity;
      }
      return 2.0;
    };
    const Triple other_head{EntityId{e}, fact.relation, fact.tail};
    const Triple other_tail{fact.head, fact.relation, EntityId{e}};
    if (other_head != fact && files.is_known(other_head))
      expected.push_back({other_head, similarity(fact.head)});
    if (other_tail != fact && files.is_known(other_tail))
      expected.push_back({other_tail, similarity(fact.tail)});
  }
  std::sort(expected.begin(), expected.end(),
            [](const auto& a, const auto& b) { return a.similarity > b.similarity; });
  ASSERT_GT(expected.size(), 7U);
  const auto support = model.explain(fact, 7, Context{}).support;
  ASSERT_EQ(support.size(), 7U);
  for (std::size_t i = 0; i < support.size(); ++i) {
    EXPECT_EQ(support[i].fact, expected[i].fact);
    EXPECT_DOUBLE_EQ(support[i].similarity, expected[i].similarity);
  }
}

TEST(Explain, WrongIdsAreRefused) {
  const RandomModel files(kSize, 0);
  const Model model = files.open();
  EXPECT_THROW(model.explain({EntityId{80}, RelationId{0}, EntityId{0}}, 5, Context{}), Error);
  EXPECT_THROW(model.explain({EntityId{0}, RelationId{4}, EntityId{0}}, 5, Context{}), Error);
  EXPECT_THROW(model.neighbors(EntityId{80}, std::nullopt, 5, Context{}), Error);
  EXPECT_THROW(model.neighbors(EntityId{0}, RelationId{4}, 5, Context{}), Error);
  EXPECT_TRUE(model.explain({EntityId{0}, RelationId{0}, EntityId{1}}, 5, Context{}).support.empty());
}

}  // namespace
}  // namespace greenkgc
