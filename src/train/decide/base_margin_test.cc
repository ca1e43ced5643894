#include "train/decide/base_margin.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kEntities = 30;

kge::Embeddings random_embeddings(bool reciprocal) {
  kge::Embeddings e;
  e.kge = &kge::kge_model("transe");
  e.similarity = kge::Similarity::kEuclidean;
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

void add(trees::Samples& samples, const Triple& t, bool fact) {
  samples.ids[0].push_back(index(t.head));
  samples.ids[1].push_back(index(t.relation));
  samples.ids[2].push_back(index(t.tail));
  samples.labels.push_back(fact ? 1 : 0);
}

// -|h + r - t|, and for reciprocal relations from the head's side -|t + r' - h|.
double distance_score(const kge::Embeddings& e, const Triple& t, bool from_head) {
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
    // The fact (1, 0, 2), three false tails, one of them the head itself, and one false head.
    samples_.facts.push_back({0, 3, 1});
    add(samples_, triple(1, 0, 2), true);
    add(samples_, triple(1, 0, 5), false);
    add(samples_, triple(1, 0, 9), false);
    add(samples_, triple(1, 0, 1), false);
    add(samples_, triple(4, 0, 2), false);
  }

  const std::vector<Triple> facts_ = {triple(1, 0, 2), triple(1, 0, 3), triple(4, 0, 5), triple(7, 0, 5),
                                      triple(4, 1, 2)};
  const kge::Embeddings embeddings_;
  const graph::RelationRanges counts_;
  trees::Samples samples_;
};

TEST_P(BaseMarginTest, IsTheWeightedSumByHand) {
  const RelationBases base = {model::BaseMarginsBySide{
      .head = {.constant = 3, .score = 4, .head_count = -0.5F, .tail_count = 1, .self = 10},
      .tail = {.constant = -1, .score = 2, .head_count = 0.5F, .tail_count = 0.25F, .self = -7}}};
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
  ASSERT_EQ(margins.size(), 5U);
  EXPECT_NEAR(margins[0], of_fact(triple(1, 0, 2), 2, 1), 1e-5);
  EXPECT_NEAR(margins[1], as_tail(triple(1, 0, 5), 2, 2), 1e-5);
  EXPECT_NEAR(margins[2], as_tail(triple(1, 0, 9), 2, 0), 1e-5);
  EXPECT_NEAR(margins[3], as_tail(triple(1, 0, 1), 2, 0) - 7, 1e-5);
  EXPECT_NEAR(margins[4], as_head(triple(4, 0, 2), 1, 1), 1e-5);

  // The fact itself is not counted: its head has one fact less, and so has its tail.
  const auto without = base_margins(samples_, {embeddings_, counts_}, base, OwnFact::kCounted, Context{});
  EXPECT_NEAR(without[0], of_fact(triple(1, 0, 2), 1, 0), 1e-5);
  EXPECT_NEAR(without[1], as_tail(triple(1, 0, 5), 1, 2), 1e-5);
  EXPECT_NEAR(without[2], as_tail(triple(1, 0, 9), 1, 0), 1e-5);
  EXPECT_NEAR(without[4], as_head(triple(4, 0, 2), 1, 0), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Reciprocal, BaseMarginTest, testing::Bool());

// Answers drawn by known weights: the fit finds them again. False heads are every other false answer, so that
// the odds of a fact are twice as great among heads.
TEST(FitBaseMargins, FindsTheWeightsThatLabelsWereDrawnBy) {
  const kge::Embeddings embeddings = random_embeddings(false);
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
  trees::Samples samples;
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
  const std::vector<RelationId> relations = {RelationId{0}, RelationId{1}};
  const RelationBases bases = fit_base_margins(samples, relations, {embeddings, counts}, Context{});
  EXPECT_EQ(bases[1]->head.self, 0);
  const model::BaseMarginsBySide fitted = *bases[0];
  // A relation without samples has what all of them say; here those of the other relation.
  EXPECT_NEAR(bases[1]->head.score, fitted.head.score, 1e-2);
  EXPECT_NEAR(fitted.tail.constant, 1, 0.15);
  EXPECT_NEAR(fitted.head.constant, 1 + std::log(2), 0.15);
  for (const model::BaseMargin& side : {fitted.head, fitted.tail}) {
    EXPECT_NEAR(side.score, 3, 0.15);
    EXPECT_NEAR(side.head_count, 0.7, 0.08);
    EXPECT_NEAR(side.tail_count, -0.4, 0.08);
  }
}

// Relation 0 goes by the score, relation 1 by the count; of relation 2 one fact is known, which says little.
TEST(FitBaseMargins, RelationsHaveWeightsOfTheirOwnWhereTheyHaveSamples) {
  kge::Embeddings embeddings = random_embeddings(false);
  embeddings.relation_count = 3;
  embeddings.relations.resize(9, 0.5F);
  std::vector<Triple> train;
  for (std::uint32_t e = 0; e < kEntities; ++e) {
    for (std::uint32_t r = 0; r < 3; ++r) {
      for (std::uint32_t n = 0; n < e % 7; ++n) train.push_back(triple(n, r, e));
    }
  }
  const graph::RelationRanges counts(train, 3);
  const CounterRandom random(8, 1);
  trees::Samples samples;
  const auto add_fact = [&](const Triple& fact, const Triple& other) {
    samples.facts.push_back({samples.size(), 1, 0});
    add(samples, fact, true);
    add(samples, other, false);
  };
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const auto r = static_cast<std::uint32_t>(i % 2);
    const auto head = static_cast<std::uint32_t>(random.below(kEntities, 4 * i));
    const Triple a = triple(head, r, static_cast<std::uint32_t>(random.below(kEntities, 4 * i + 1)));
    const Triple b = triple(head, r, static_cast<std::uint32_t>(random.below(kEntities, 4 * i + 2)));
    const auto worth = [&](const Triple& t) {
      return r == 0 ? 8 * distance_score(embeddings, t, false)
                    : 2 * std::log1p(counts.all_tails().count(t.relation, t.tail));
    };
    const bool a_is_fact = random.unit(4 * i + 3) < 1 / (1 + std::exp(worth(b) - worth(a)));
    add_fact(a_is_fact ? a : b, a_is_fact ? b : a);
  }
  add_fact(triple(1, 2, 2), triple(1, 2, 3));
  const std::vector<RelationId> relations = {RelationId{0}, RelationId{1}, RelationId{2}};
  const RelationBases bases = fit_base_margins(samples, relations, {embeddings, counts}, Context{});
  EXPECT_GT(bases[0]->tail.score, 2);
  EXPECT_LT(std::abs(bases[0]->tail.tail_count), 0.3);
  EXPECT_LT(std::abs(bases[1]->tail.score), 0.8);
  EXPECT_GT(bases[1]->tail.tail_count, 1);
  EXPECT_LT(bases[1]->tail.score, bases[2]->tail.score);
  EXPECT_LT(bases[2]->tail.score, bases[0]->tail.score);
  EXPECT_LT(bases[0]->tail.tail_count, bases[2]->tail.tail_count);
  EXPECT_LT(bases[2]->tail.tail_count, bases[1]->tail.tail_count);
}

TEST(FitBaseMargins, OfASideWithoutFalseAnswersIsZero) {
  const kge::Embeddings embeddings = random_embeddings(false);
  const graph::RelationRanges counts({}, 2);
  const std::vector<RelationId> relations = {RelationId{0}};
  EXPECT_EQ(fit_base_margins({}, relations, {embeddings, counts}, Context{}),
            (RelationBases{model::BaseMarginsBySide{}, std::nullopt}));
  trees::Samples samples;
  samples.facts.push_back({0, 1, 0});
  add(samples, triple(1, 0, 2), true);
  add(samples, triple(1, 0, 3), false);
  const auto fitted = fit_base_margins(samples, relations, {embeddings, counts}, Context{});
  EXPECT_EQ(fitted[0]->head, model::BaseMargin{});
  EXPECT_NE(fitted[0]->tail, model::BaseMargin{});
}

TEST(SelfTerms, AreTheLogarithmsOfShares) {
  const std::vector<Triple> facts = {triple(1, 0, 1), triple(1, 0, 2), triple(3, 0, 3), triple(4, 1, 2)};
  const std::vector<float> terms = self_terms(facts, 3);
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_NEAR(terms[0], std::log(2.5 / 4), 1e-6);
  EXPECT_NEAR(terms[1], std::log(0.5 / 2), 1e-6);
  EXPECT_NEAR(terms[2], std::log(0.5), 1e-6);
}

}  // namespace
}  // namespace greenkgc::decide
