#include "simd/trees/logistic_gradients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class LogisticGradients : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(LogisticGradients, AreThoseOfTheDefinition) {
  std::vector<float> margins;
  std::vector<std::uint8_t> labels;
  for (int i = -400; i <= 400; ++i) {
    margins.push_back(static_cast<float>(i) / 16);
    labels.push_back(i % 3 == 0 ? 1 : 0);
  }
  for (const std::size_t n : {0U, 1U, 3U, 17U, 801U}) {
    std::vector<GradientPair> pairs(n);
    logistic_gradients({margins.data(), n}, {labels.data(), n}, pairs);
    for (std::size_t i = 0; i < n; ++i) {
      const double p = 1 / (1 + std::exp(-static_cast<double>(margins[i])));
      const double q = 1 / (1 + std::exp(static_cast<double>(margins[i])));
      const double gradient = labels[i] != 0 ? -q : p;
      EXPECT_NEAR(pairs[i].gradient / kGradientUnit, gradient, 1e-8 + 1e-6 * std::abs(gradient));
      EXPECT_NEAR(pairs[i].hessian / kGradientUnit, p * q, 1e-8 + 1e-6 * p * q);
      EXPECT_GE(pairs[i].hessian, 1);
    }
  }
}

TEST_P(LogisticGradients, AreFiniteAtTheEnds) {
  const std::vector<float> margins = {-1e30F, 1e30F, -1e30F, 1e30F};
  const std::vector<std::uint8_t> labels = {0, 0, 1, 1};
  std::vector<GradientPair> pairs(4);
  logistic_gradients(margins, labels, pairs);
  const auto unit = static_cast<std::int32_t>(kGradientUnit);
  const std::vector<std::int32_t> expected = {0, unit, -unit, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(pairs[i].gradient, expected[i]);
    EXPECT_EQ(pairs[i].hessian, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, LogisticGradients, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
