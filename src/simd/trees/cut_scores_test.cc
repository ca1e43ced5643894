#include "simd/trees/cut_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class CutScoresKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

double score(const GradientSums& sums, double lambda) {
  const auto gradient = static_cast<double>(sums.gradient);
  return gradient * gradient / (static_cast<double>(sums.hessian) + lambda);
}

TEST_P(CutScoresKernel, AreThoseOfThePlainFormula) {
  std::mt19937 random(4);
  std::uniform_int_distribution<std::int64_t> gradient(-(1LL << 40), 1LL << 40);
  std::uniform_int_distribution<std::int64_t> hessian(0, 1LL << 38);
  for (const std::size_t bins : {1U, 2U, 7U, 16U, 253U, 256U}) {
    std::vector<GradientSums> histogram(bins);
    for (GradientSums& bin : histogram) bin = {gradient(random), hessian(random)};
    if (bins > 4) histogram[1] = histogram[bins - 2] = {};
    CutRule rule{.total = {}, .lambda = 1e8, .least_hessian = 1e11};
    for (const GradientSums& bin : histogram) rule.total += bin;
    CutScores cuts;
    score_cuts(histogram, rule, cuts);
    GradientSums left;
    double highest = 0;
    for (std::size_t cut = 0; cut < bins; ++cut) {
      left += histogram[cut];
      const GradientSums right = rule.total - left;
      EXPECT_EQ(cuts.left[cut], left) << cut << " of " << bins;
      const bool counts = left.hessian >= 100'000'000'000 && right.hessian >= 100'000'000'000;
      const double expected = counts ? score(left, rule.lambda) + score(right, rule.lambda) : 0;
      EXPECT_NEAR(cuts.scores[cut], expected, 1e-13 * expected) << cut << " of " << bins;
      highest = std::max(highest, cuts.scores[cut]);
    }
    EXPECT_EQ(cuts.highest, highest);
  }
}

TEST_P(CutScoresKernel, NothingIsNotANumberWithoutAPenalty) {
  const std::vector<GradientSums> histogram = {{0, 0}, {4, 2}, {0, 0}, {-6, 3}, {0, 0}};
  CutScores cuts;
  score_cuts(histogram, {.total = {-2, 5}, .lambda = 0, .least_hessian = 1}, cuts);
  const std::vector<double> expected = {0, 8 + 12, 8 + 12, 0, 0};
  EXPECT_EQ(std::vector<double>(cuts.scores, cuts.scores + 5), expected);
  EXPECT_EQ(cuts.highest, 20);
}

INSTANTIATE_TEST_SUITE_P(Targets, CutScoresKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
