#include "rank/binary_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace greenkgc::rank {
namespace {

TEST(BinaryMetrics, AgreeWithFiguresByHand) {
  // By falling probability: fact; fact and false one tie; fact; false one.
  const std::vector<JudgedTriple> judged = {
      {0.5, false, true}, {0.9, true, true}, {0.25, true, false}, {0.5, true, true}, {0.125, false, false}};
  const BinaryMetrics m = binary_metrics(judged);
  EXPECT_EQ(m.triples, 5U);
  EXPECT_EQ(m.facts, 3U);
  EXPECT_DOUBLE_EQ(m.accuracy, 3.0 / 5);
  EXPECT_DOUBLE_EQ(m.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.auc_pr, (1 + 2.0 / 3 + 3.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(m.auc_roc, (1 + 1 + 1 + 1 + 0.5 + 0) / 6);  // pairs won by the fact
  EXPECT_NEAR(m.log_loss,
              -(std::log(0.5) + std::log(0.9) + std::log(0.25) + std::log(0.5) + std::log(0.875)) / 5, 1e-12);
  EXPECT_NEAR(m.brier, (0.25 + 0.01 + 0.5625 + 0.25 + 0.015625) / 5, 1e-12);
}

TEST(BinaryMetrics, SayWhatCannotBeMeasured) {
  const std::vector<JudgedTriple> facts = {{0, true, false}};
  EXPECT_EQ(binary_metrics(facts).auc_roc, -1);
  EXPECT_EQ(binary_metrics(facts).precision, 0);
  EXPECT_NEAR(binary_metrics(facts).log_loss, -std::log(1e-15), 1e-9);
  const std::vector<JudgedTriple> others = {{0.5, false, false}};
  EXPECT_EQ(binary_metrics(others).auc_pr, -1);
}

double accuracy(const std::vector<ValuedTriple>& triples, double threshold) {
  double right = 0;
  for (const ValuedTriple& triple : triples) right += (triple.value >= threshold) == triple.is_fact ? 1 : 0;
  return right / static_cast<double>(triples.size());
}

TEST(BestThreshold, IsAsGoodAsAnyOther) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<ValuedTriple> triples;
    for (std::size_t i = 0; i < 1 + random() % 12; ++i)
      triples.push_back({static_cast<double>(random() % 7), random() % 2 == 0});
    double best = 0;
    for (double threshold = -0.5; threshold < 7.5; threshold += 0.5)
      best = std::max(best, accuracy(triples, threshold));
    const Threshold found = best_threshold(triples);
    EXPECT_DOUBLE_EQ(found.accuracy, best);
    EXPECT_DOUBLE_EQ(accuracy(triples, found.value), best);
  }
}

TEST(BestThreshold, LiesHalfway) {
  EXPECT_EQ(best_threshold(std::vector<ValuedTriple>{{1, false}, {4, true}, {6, true}}).value, 2.5);
  EXPECT_EQ(best_threshold(std::vector<ValuedTriple>{{4, true}, {6, true}}).value, 4);
  EXPECT_GT(best_threshold(std::vector<ValuedTriple>{{4, false}, {6, false}}).value, 6);
}

}  // namespace
}  // namespace greenkgc::rank
