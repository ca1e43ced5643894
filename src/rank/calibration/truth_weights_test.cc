#include "rank/calibration/truth_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::rank {
namespace {

ScoredTriple scored_triple(std::uint32_t relation, double margin, double log_odds, bool is_fact) {
  return {RelationId{relation}, {static_cast<float>(margin), 1 / (1 + std::exp(-log_odds))}, is_fact};
}

// Triples of a relation whose truth depends on a sum of score and log-odds with noise.
void add_triples(std::uint32_t relation, std::size_t count, const TruthWeights& truth, std::mt19937& random,
                 std::vector<ScoredTriple>& triples) {
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < count; ++i) {
    const double margin = 3 * normal(random) + 2;
    const double log_odds = 2 * normal(random) - 5;
    const double noise = std::log(1 / std::uniform_real_distribution<>(1e-9, 1)(random) - 1);
    const double value = truth.offset + truth.score * margin + truth.log_odds * log_odds;
    triples.push_back(scored_triple(relation, margin, log_odds, value + noise > 0));
  }
}

TEST(TruthWeights, FindsTheWeightsOfEachRelation) {
  std::mt19937 random(5);
  std::vector<ScoredTriple> triples;
  const TruthWeights by_score{.offset = -2, .score = 1, .log_odds = 0};
  const TruthWeights by_probability{.offset = 5, .score = 0, .log_odds = 1};
  add_triples(4, 20'000, by_score, random, triples);
  add_triples(1, 20'000, by_probability, random, triples);
  const FittedWeights fitted = fit_truth_weights(triples);
  ASSERT_EQ(fitted.relations.size(), 2U);
  EXPECT_EQ(fitted.relations[0].relation, RelationId{1});
  EXPECT_EQ(fitted.relations[1].relation, RelationId{4});
  const auto expect_near = [](const TruthWeights& found, const TruthWeights& truth) {
    EXPECT_NEAR(found.offset, truth.offset, 0.3);
    EXPECT_NEAR(found.score, truth.score, 0.05);
    EXPECT_NEAR(found.log_odds, truth.log_odds, 0.05);
  };
  expect_near(fitted.relations[0].weights, by_probability);
  expect_near(fitted.relations[1].weights, by_score);
}

TEST(TruthWeights, FewTriplesAreDrawnTowardsOtherRelations) {
  std::mt19937 random(6);
  std::vector<ScoredTriple> triples;
  const TruthWeights truth{.offset = 5, .score = 0.2, .log_odds = 1};
  for (std::uint32_t relation = 0; relation < 6; ++relation)
    add_triples(relation, 500, truth, random, triples);
  triples.push_back(scored_triple(9, 2, -5, false));
  const FittedWeights fitted = fit_truth_weights(triples);
  const TruthWeights& few = fitted.relations.back().weights;
  EXPECT_NEAR(few.log_odds, 1, 0.3);
  EXPECT_NEAR(fitted.others.log_odds, 1, 0.3);
  const Score likely{2, 0.5};
  const Score unlikely{2, 1e-6};
  EXPECT_GT(few.value(likely), 0);
  EXPECT_LT(few.value(unlikely), 0);
  // The one that is known to be false counts for something.
  EXPECT_LT(few.value({2, 0.0067}), fitted.others.value({2, 0.0067}));
}

TEST(TruthWeights, ConstantScoresAndCertainProbabilities) {
  std::vector<ScoredTriple> triples;
  for (int i = 0; i < 20; ++i) triples.push_back({RelationId{0}, {1, i % 2 == 0 ? 1.0 : 0.0}, i % 2 == 0});
  const FittedWeights fitted = fit_truth_weights(triples);
  for (const ScoredTriple& triple : triples) {
    const double value = fitted.relations[0].weights.value(triple.score);
    EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(value >= 0, triple.is_fact);
  }
}

}  // namespace
}  // namespace greenkgc::rank
