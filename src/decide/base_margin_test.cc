#include "decide/base_margin.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kEntities = 30;

model::Embeddings random_embeddings(bool reciprocal) {
  model::Embeddings e;
  e.kge = &model::kge_model("transe");
  e.similarity = model::Similarity::kEuclidean;
  e.dims = 3;
  e.reciprocal = reciprocal;
  e.entity_count = kEntities;
  e.relation_count = 2;
  const CounterRandom random(3, 1);
  for (std::uint64_t i = 0; i < kEntities * 3; ++i) e.entities.push_back(static_cast<float>(random.unit(i)));
  for (std::uint64_t i = 0; i < e.relation_rows() * 3; ++i)
    e.relations.push_back(static_cast<float>(random.unit(1000 + i)));
  return e;
}

Triple triple(std::uint32_t h, std::uint32_t r, std::uint32_t t) {
  return {EntityId{h}, RelationId{r}, EntityId{t}};
}

void add(Samples& samples, const Triple& t, bool fact) {
  samples.ids[0].push_back(index(t.head));
  samples.ids[1].push_back(index(t.relation));
  samples.ids[2].push_back(index(t.tail));
  samples.labels.push_back(fact ? 1 : 0);
}

// -|h + r - t|, and for reciprocal relations from the head's side -|t + r' - h|.
double distance_score(const model::Embeddings& e, const Triple& t, bool from_head) {
  const std::size_t row = index(t.relation) + (from_head && e.reciprocal ? e.relation_count : 0U);
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double h = e.entity(t.head)[d];
    const double r = e.relation_row(row)[d];
    const double x = from_head && e.reciprocal ? e.entity(t.tail)[d] + r - h : h + r - e.entity(t.tail)[d];
    sum += x * x;
  }
  return -std::sqrt(sum);
}

class BaseMarginTest : public testing::TestWithParam<bool> {
 protected:
  BaseMarginTest() : embeddings_(random_embeddings(GetParam())), counts_(facts_, 2) {
    // The fact (1, 0, 2), two false tails, one false head.
    samples_.facts.push_back({0, 2, 1});
    add(samples_, triple(1, 0, 2), true);
    add(samples_, triple(1, 0, 5), false);
    add(samples_, triple(1, 0, 9), false);
    add(samples_, triple(4, 0, 2), false);
  }

  const std::vector<Triple> facts_ = {triple(1, 0, 2), triple(1, 0, 3), triple(4, 0, 5), triple(7, 0, 5),
                                      triple(4, 1, 2)};
  const model::Embeddings embeddings_;
  const graph::RelationRanges counts_;
  Samples samples_;
};

TEST_P(BaseMarginTest, IsTheWeightedSumByHand) {
  const model::BaseMarginsBySide base{
      .head = {.constant = 3, .score = 4, .head_count = -0.5F, .tail_count = 1},
      .tail = {.constant = -1, .score = 2, .head_count = 0.5F, .tail_count = 0.25F}};
  const auto margins = base_margins(samples_, {embeddings_, counts_}, base, OwnFact::kNotCounted, Context{});
  const auto as_tail = [&](const Triple& t, int head_count, int tail_count) {
    return -1 + 2 * distance_score(embeddings_, t, false) + 0.5 * std::log1p(head_count) +
           0.25 * std::log1p(tail_count);
  };
  const auto as_head = [&](const Triple& t, int head_count, int tail_count) {
    return 3 + 4 * distance_score(embeddings_, t, true) - 0.5 * std::log1p(head_count) +
           std::log1p(tail_count);
  };
  const auto of_fact = [&](const Triple& t, int head_count, int tail_count) {
    return (as_tail(t, head_count, tail_count) + as_head(t, head_count, tail_count)) / 2;
  };
  ASSERT_EQ(margins.size(), 4U);
  EXPECT_NEAR(margins[0], of_fact(triple(1, 0, 2), 2, 1), 1e-5);
  EXPECT_NEAR(margins[1], as_tail(triple(1, 0, 5), 2, 2), 1e-5);
  EXPECT_NEAR(margins[2], as_tail(triple(1, 0, 9), 2, 0), 1e-5);
  EXPECT_NEAR(margins[3], as_head(triple(4, 0, 2), 1, 1), 1e-5);

  // The fact itself is not counted: its head has one fact less, and so has its tail.
  const auto without = base_margins(samples_, {embeddings_, counts_}, base, OwnFact::kCounted, Context{});
  EXPECT_NEAR(without[0], of_fact(triple(1, 0, 2), 1, 0), 1e-5);
  EXPECT_NEAR(without[1], as_tail(triple(1, 0, 5), 1, 2), 1e-5);
  EXPECT_NEAR(without[2], as_tail(triple(1, 0, 9), 1, 0), 1e-5);
  EXPECT_NEAR(without[3], as_head(triple(4, 0, 2), 1, 0), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Reciprocal, BaseMarginTest, testing::Bool());

// Answers drawn by known weights: the fit finds them again. False heads are every other false answer, so that
// the odds of a fact are twice as great among heads.
TEST(FitBaseMargin, FindsTheWeightsThatLabelsWereDrawnBy) {
  const model::Embeddings embeddings = random_embeddings(false);
  std::vector<Triple> train;
  const CounterRandom random(5, 1);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const double u = random.unit(2 * i);
    train.push_back(triple(static_cast<std::uint32_t>(u * u * kEntities), 0,
                           static_cast<std::uint32_t>(random.below(kEntities, 2 * i + 1))));
  }
  const graph::RelationRanges counts(train, 2);
  std::vector<Triple> facts;
  std::array<std::vector<Triple>, kEntities> false_tails;  // by head
  std::array<std::vector<Triple>, kEntities> false_heads;  // by tail
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    const Triple t = triple(static_cast<std::uint32_t>(random.below(kEntities, 9000 + 3 * i)), 0,
                            static_cast<std::uint32_t>(random.below(kEntities, 9001 + 3 * i)));
    const double margin = 1 + 3 * distance_score(embeddings, t, false) +
                          0.7 * std::log1p(counts.all_heads().count(t.relation, t.head)) -
                          0.4 * std::log1p(counts.all_tails().count(t.relation, t.tail));
    if (random.unit(9002 + 3 * i) < 1 / (1 + std::exp(-margin))) {
      facts.push_back(t);
    } else {
      false_tails[index(t.head)].push_back(t);
      if (i % 2 == 0) false_heads[index(t.tail)].push_back(t);
    }
  }
  // The first fact with an entity has all false answers to its question.
  Samples samples;
  for (const Triple& fact : facts) {
    auto& tails = false_tails[index(fact.head)];
    auto& heads = false_heads[index(fact.tail)];
    samples.facts.push_back(
        {samples.size(), static_cast<std::uint32_t>(tails.size()), static_cast<std::uint32_t>(heads.size())});
    add(samples, fact, true);
    for (const Triple& t : tails) add(samples, t, false);
    for (const Triple& t : heads) add(samples, t, false);
    tails.clear();
    heads.clear();
  }
  const model::BaseMarginsBySide fitted = fit_base_margin(samples, {embeddings, counts}, Context{});
  EXPECT_NEAR(fitted.tail.constant, 1, 0.15);
  EXPECT_NEAR(fitted.head.constant, 1 + std::log(2), 0.15);
  for (const model::BaseMargin& side : {fitted.head, fitted.tail}) {
    EXPECT_NEAR(side.score, 3, 0.15);
    EXPECT_NEAR(side.head_count, 0.7, 0.08);
    EXPECT_NEAR(side.tail_count, -0.4, 0.08);
  }
}

TEST(FitBaseMargin, OfASideWithoutFalseAnswersIsZero) {
  const model::Embeddings embeddings = random_embeddings(false);
  const graph::RelationRanges counts({}, 2);
  EXPECT_EQ(fit_base_margin({}, {embeddings, counts}, Context{}), model::BaseMarginsBySide{});
  Samples samples;
  samples.facts.push_back({0, 1, 0});
  add(samples, triple(1, 0, 2), true);
  add(samples, triple(1, 0, 3), false);
  const auto fitted = fit_base_margin(samples, {embeddings, counts}, Context{});
  EXPECT_EQ(fitted.head, model::BaseMargin{});
  EXPECT_NE(fitted.tail, model::BaseMargin{});
}

}  // namespace
}  // namespace greenkgc::decide
