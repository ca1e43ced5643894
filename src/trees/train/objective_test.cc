#include "trees/train/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace greenkgc::trees {
namespace {

// Two facts: one with two false tails and one false head, one with a false tail alone.
Samples grouped() {
  Samples samples;
  samples.labels = {1, 0, 0, 0, 1, 0};
  for (auto& ids : samples.ids) ids.assign(samples.labels.size(), 0);
  samples.facts = {{0, 2, 1}, {4, 1, 0}};
  return samples;
}

double loss_at(const Samples& samples, std::vector<float> margins, std::size_t row, float shift) {
  margins[row] += shift;
  return objective_loss(Objective::kSoftmax, samples, margins) * 4;  // a sum over four queries
}

TEST(SoftmaxObjective, LossIsThatOfTheDefinition) {
  const std::vector<float> margins = {1, 0, 2, -1, 0.5F, 0.5F};
  const auto e = [&](std::size_t i) { return std::exp(static_cast<double>(margins[i])); };
  const double expected =
      -std::log(e(0) / (e(0) + e(1) + e(2))) - std::log(e(0) / (e(0) + e(3))) - std::log(0.5) - std::log(1.0);
  EXPECT_NEAR(objective_loss(Objective::kSoftmax, grouped(), margins), expected / 4, 1e-9);
}

TEST(SoftmaxObjective, GradientsAreThoseOfTheLoss) {
  const Samples samples = grouped();
  const std::vector<float> margins = {1, 0, 2, -1, 0.5F, 0.25F};
  std::vector<simd::GradientPair> pairs(samples.size(), {77, 77});
  objective_gradients(Objective::kSoftmax, samples, margins, pairs, {});
  constexpr float kStep = 1.0F / 64;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    const double above = loss_at(samples, margins, row, kStep);
    const double here = loss_at(samples, margins, row, 0);
    const double below = loss_at(samples, margins, row, -kStep);
    EXPECT_NEAR(pairs[row].gradient / simd::kGradientUnit, (above - below) / (2 * kStep), 1e-4);
    EXPECT_NEAR(pairs[row].hessian / simd::kGradientUnit, (above - 2 * here + below) / (kStep * kStep), 1e-4);
  }
}

TEST(SoftmaxObjective, LargeMarginsStayFinite) {
  const Samples samples = grouped();
  const std::vector<float> margins = {-3e4F, 3e4F, 0, 0, 3e4F, -3e4F};
  std::vector<simd::GradientPair> pairs(samples.size());
  objective_gradients(Objective::kSoftmax, samples, margins, pairs, {});
  EXPECT_EQ(pairs[0].gradient, -2 * simd::kGradientUnit);  // sure of being wrong, on both sides
  EXPECT_EQ(pairs[1].gradient, simd::kGradientUnit);
  EXPECT_NEAR(objective_loss(Objective::kSoftmax, samples, margins), (6e4 + 3e4) / 4, 1e-3);
}

TEST(KeepShare, KeepsAboutThatMuchBySeedAndTree) {
  constexpr std::size_t kRows = 200'001;
  const auto kept = [](std::uint64_t tree, const Context& context) {
    std::vector<simd::GradientPair> pairs(kRows, {5, 3});
    keep_share(pairs, 0.3, tree, context);
    std::vector<bool> in;
    for (const simd::GradientPair& pair : pairs) {
      EXPECT_EQ(pair.gradient == 5, pair.hessian == 3);
      EXPECT_EQ(pair.gradient == 0, pair.hessian == 0);
      in.push_back(pair.hessian != 0);
    }
    return in;
  };
  const auto first = kept(0, {});
  EXPECT_NEAR(static_cast<double>(std::count(first.begin(), first.end(), true)) / kRows, 0.3, 0.005);
  EXPECT_EQ(kept(0, Context{.threads = 3}), first);
  for (const auto& other : {kept(1, {}), kept(0, Context{.seed = 1})}) {
    std::size_t both = 0;
    for (std::size_t i = 0; i < kRows; ++i) both += first[i] && other[i] ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(both) / kRows, 0.09, 0.005);
  }
}

TEST(Bootstrap, WeightsAreThoseOfDrawingWithReplacement) {
  constexpr std::size_t kRows = 200'000;
  std::vector<simd::GradientPair> pairs(kRows, {-2, 1});
  weigh_as_bootstrap(pairs, 3, {});
  std::array<double, simd::kMostWeight + 1> counts = {};
  for (const simd::GradientPair& pair : pairs) {
    ASSERT_LE(pair.hessian, simd::kMostWeight);
    ASSERT_EQ(pair.gradient, -2 * pair.hessian);
    counts[static_cast<std::size_t>(pair.hessian)] += 1;
  }
  double expected = std::exp(-1.0);  // of the Poisson distribution
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(counts[k] / kRows, expected, 0.005) << k;
    expected /= static_cast<double>(k + 1);
  }
}

}  // namespace
}  // namespace greenkgc::trees
