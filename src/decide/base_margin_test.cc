#include "decide/base_margin.h"

#include <gtest/gtest.h>

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
  const model::BaseMargin base{.constant = -1, .score = 2, .head_count = 0.5F, .tail_count = 0.25F};
  const auto margins = base_margins(samples_, {embeddings_, counts_}, base, OwnFact::kNotCounted, Context{});
  const auto expected = [&](const Triple& t, bool from_head, int head_count, int tail_count) {
    return -1 + 2 * distance_score(embeddings_, t, from_head) + 0.5 * std::log1p(head_count) +
           0.25 * std::log1p(tail_count);
  };
  ASSERT_EQ(margins.size(), 4U);
  EXPECT_NEAR(margins[0], expected(triple(1, 0, 2), false, 2, 1), 1e-5);
  EXPECT_NEAR(margins[1], expected(triple(1, 0, 5), false, 2, 2), 1e-5);
  EXPECT_NEAR(margins[2], expected(triple(1, 0, 9), false, 2, 0), 1e-5);
  EXPECT_NEAR(margins[3], expected(triple(4, 0, 2), true, 1, 1), 1e-5);

  // The fact itself is not counted: its head has one fact less, and so has its tail.
  const auto without = base_margins(samples_, {embeddings_, counts_}, base, OwnFact::kCounted, Context{});
  EXPECT_NEAR(without[0], expected(triple(1, 0, 2), false, 1, 0), 1e-5);
  EXPECT_NEAR(without[1], expected(triple(1, 0, 5), false, 1, 2), 1e-5);
  EXPECT_NEAR(without[2], expected(triple(1, 0, 9), false, 1, 0), 1e-5);
  EXPECT_NEAR(without[3], expected(triple(4, 0, 2), true, 1, 0), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Reciprocal, BaseMarginTest, testing::Bool());

// Labels drawn by known weights: the fit finds them again.
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
  const model::BaseMargin truth{.constant = 1, .score = 3, .head_count = 0.7F, .tail_count = -0.4F};
  Samples samples;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    const Triple t = triple(static_cast<std::uint32_t>(random.below(kEntities, 9000 + 3 * i)), 0,
                            static_cast<std::uint32_t>(random.below(kEntities, 9001 + 3 * i)));
    const double margin = 1 + 3 * distance_score(embeddings, t, false) +
                          0.7 * std::log1p(counts.all_heads().count(t.relation, t.head)) -
                          0.4 * std::log1p(counts.all_tails().count(t.relation, t.tail));
    // Each is a query of its own, so that facts and false answers are as the weights make them.
    samples.facts.push_back({samples.size(), 0, 0});
    add(samples, t, random.unit(9002 + 3 * i) < 1 / (1 + std::exp(-margin)));
  }
  const model::BaseMargin fitted = fit_base_margin(samples, {embeddings, counts}, Context{});
  EXPECT_NEAR(fitted.constant, truth.constant, 0.15);
  EXPECT_NEAR(fitted.score, truth.score, 0.15);
  EXPECT_NEAR(fitted.head_count, truth.head_count, 0.08);
  EXPECT_NEAR(fitted.tail_count, truth.tail_count, 0.08);
}

TEST(FitBaseMargin, OfNoSamplesIsZero) {
  const model::Embeddings embeddings = random_embeddings(false);
  EXPECT_EQ(fit_base_margin({}, {embeddings, graph::RelationRanges({}, 2)}, Context{}), model::BaseMargin{});
}

}  // namespace
}  // namespace greenkgc::decide
