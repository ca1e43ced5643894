#include "decide/sample_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace greenkgc::decide {
namespace {

using Labels = std::vector<std::uint8_t>;
using Margins = std::vector<float>;

TEST(LogLoss, IsTheMeanOfMinusLogProbability) {
  // Probabilities 1/2, 3/4, 3/4 of being a fact.
  const auto odds = static_cast<float>(std::log(3.0));
  const double expected = (std::log(2.0) + std::log(4.0 / 3) + std::log(4.0)) / 3;
  EXPECT_NEAR(log_loss(Margins{0, odds, odds}, Labels{1, 1, 0}), expected, 1e-7);
}

TEST(LogLoss, IsFiniteForCertainMistakes) {
  EXPECT_NEAR(log_loss(Margins{-1000, 1000}, Labels{1, 0}), 1000, 1e-9);
  EXPECT_EQ(log_loss({}, {}), 0);
}

TEST(AucPr, IsThePrecisionAtEachFact) {
  // In order of margin: fact, false, fact, false: precisions 1 and 2/3.
  EXPECT_NEAR(auc_pr(Margins{0.1F, 3, 2, 1}, Labels{0, 1, 0, 1}), (1 + 2.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(auc_pr(Margins{2, 1}, Labels{1, 0}), 1, 1e-12);
  EXPECT_NEAR(auc_pr(Margins{1, 2}, Labels{1, 0}), 0.5, 1e-12);
}

TEST(AucPr, TiesAreTakenTogether) {
  EXPECT_NEAR(auc_pr(Margins{1, 1, 1, 1}, Labels{1, 0, 0, 0}), 0.25, 1e-12);
  // One fact above a tie of a fact and a false one: 1 and 2/3.
  EXPECT_NEAR(auc_pr(Margins{1, 5, 1}, Labels{0, 1, 1}), (1 + 2.0 / 3) / 2, 1e-12);
}

TEST(AucPr, IsZeroWithoutFacts) {
  EXPECT_EQ(auc_pr(Margins{1, 2}, Labels{0, 0}), 0);
  EXPECT_EQ(auc_pr({}, {}), 0);
}

}  // namespace
}  // namespace greenkgc::decide
