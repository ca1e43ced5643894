#include "rank/calibration/prior_shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace greenkgc::rank {
namespace {

double mean_probability(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(PriorShift, AmountWorkedOutByHand) {
  // Odds of 1/4 and 1 become 1/2 and 2 when doubled: 1/3 and 2/3, the mean of which is a half.
  std::vector<double> probabilities = {0.2, 0.5};
  shift_to_prior(probabilities, 0.5);
  EXPECT_NEAR(probabilities[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR(probabilities[1], 2.0 / 3, 1e-9);
}

TEST(PriorShift, ShiftsAllLogOddsByOneAmountAndKeepsTheOrder) {
  std::mt19937 random(3);
  std::normal_distribution<double> draw(-6, 3);
  std::vector<double> before;
  for (int i = 0; i < 1000; ++i) before.push_back(1 / (1 + std::exp(-draw(random))));
  for (const double prior : {1e-6, 0.01, 0.5, 0.999}) {
    std::vector<double> after = before;
    shift_to_prior(after, prior);
    EXPECT_NEAR(mean_probability(after), prior, 1e-9 * std::max(prior, 1e-3));
    const auto odds_factor = [&](std::size_t i) {
      return after[i] / (1 - after[i]) / (before[i] / (1 - before[i]));
    };
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(odds_factor(i) / odds_factor(0), 1, 1e-6);
      const std::size_t other = i == 0 ? 0 : i - 1;
      EXPECT_EQ(before[i] < before[other], after[i] < after[other]);
    }
  }
}

TEST(PriorShift, CertainAnswersCanBeShifted) {
  std::vector<double> probabilities = {0, 1, 1, 0.5};
  shift_to_prior(probabilities, 0.25);
  EXPECT_NEAR(mean_probability(probabilities), 0.25, 1e-9);
  EXPECT_TRUE(
      std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return p >= 0 && p <= 1; }));
  EXPECT_LE(probabilities[0], probabilities[3]);
  EXPECT_LE(probabilities[3], probabilities[1]);
}

TEST(PriorShift, OneOrNoProbability) {
  std::vector<double> one = {1e-9};
  shift_to_prior(one, 0.3);
  EXPECT_NEAR(one[0], 0.3, 1e-9);
  shift_to_prior({}, 0.3);
}

}  // namespace
}  // namespace greenkgc::rank
