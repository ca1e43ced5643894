#include "simd/vector/loss_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// The losses as the paper writes them, in double precision; `p` is taken as constant.
std::vector<double> adversarial_shares(const std::vector<double>& scores, double temperature) {
  std::vector<double> p;
  double total = 0;
  for (const double s : scores) total += std::exp(temperature * s);
  for (const double s : scores) p.push_back(std::exp(temperature * s) / total);
  return p;
}
double self_adversarial(const std::vector<double>& scores, const std::vector<double>& p, double positive,
                        double margin) {
  double loss = softplus(-(margin + positive));
  for (std::size_t i = 0; i < scores.size(); ++i) loss += p[i] * softplus(margin + scores[i]);
  return loss / 2;
}
double softmax(const std::vector<double>& scores, double positive, double shift) {
  double total = std::exp(positive);
  for (const double s : scores) total += std::exp(s + shift);
  return std::log(total) - positive;
}

double slope(const std::function<double(double)>& f, double x) {
  return (f(x + 1e-5) - f(x - 1e-5)) / 2e-5;
}

class LossRows : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
  static std::vector<double> random_scores(std::size_t n) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::normal_distribution<double> normal(-8, 3);
    std::vector<double> scores(n);
    for (double& s : scores) s = static_cast<float>(normal(random));
    return scores;
  }
  static std::vector<float> floats(const std::vector<double>& values) {
    return {values.begin(), values.end()};
  }
};

TEST_P(LossRows, SelfAdversarialAndItsDerivatives) {
  for (const std::size_t n : {1, 2, 5, 16, 33, 100}) {
    const auto scores = random_scores(n);
    const double positive = -7.5;
    const auto p = adversarial_shares(scores, 0.7);
    std::vector<float> derivatives(n);
    const RowLoss row =
        self_adversarial_row(floats(scores), -7.5F, 2.0F, {.margin = 9, .temperature = 0.7F}, derivatives);
    EXPECT_NEAR(row.loss, 2 * self_adversarial(scores, p, positive, 9), 1e-5);
    EXPECT_NEAR(row.positive_derivative,
                2 * slope([&](double s) { return self_adversarial(scores, p, s, 9); }, positive), 1e-5);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = [&](double s) {
        auto changed = scores;
        changed[i] = s;
        return self_adversarial(changed, p, positive, 9);
      };
      EXPECT_NEAR(derivatives[i], 2 * slope(at, scores[i]), 1e-5);
    }
  }
}

TEST_P(LossRows, SoftmaxAndItsDerivatives) {
  for (const std::size_t n : {1, 2, 5, 16, 33, 100}) {
    const auto scores = random_scores(n);
    const double positive = -7.5;
    std::vector<float> derivatives(n);
    const RowLoss row = softmax_row(floats(scores), -7.5F, 3.0F, 1.5F, derivatives);
    EXPECT_NEAR(row.loss, 3 * softmax(scores, positive, 1.5), 1e-5 * (1 + row.loss));
    EXPECT_NEAR(row.positive_derivative,
                3 * slope([&](double s) { return softmax(scores, s, 1.5); }, positive), 1e-5);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = [&](double s) {
        auto changed = scores;
        changed[i] = s;
        return softmax(changed, positive, 1.5);
      };
      EXPECT_NEAR(derivatives[i], 3 * slope(at, scores[i]), 1e-5);
    }
  }
}

// A matrix product is many times slower where denormal numbers are among its terms.
TEST_P(LossRows, TinyDerivativesAreNone) {
  const std::vector<float> scores = {0, -30, -70, -90, -100};
  std::vector<float> derivatives(scores.size());
  softmax_row(scores, 0.0F, 1.0F, 0.0F, derivatives);
  EXPECT_NEAR(derivatives[1], std::exp(-30.0) / 2, 1e-18);
  for (const std::size_t i : {2, 3, 4}) EXPECT_EQ(derivatives[i], 0.0F);
  self_adversarial_row(scores, 0.0F, 1.0F, {0, 0.5F}, derivatives);
  EXPECT_GT(derivatives[1], 0.0F);
  for (const std::size_t i : {2, 3, 4}) EXPECT_EQ(derivatives[i], 0.0F);
}

TEST_P(LossRows, MaskedScoresDoNotCount) {
  const std::vector<float> masked = {-1, kMaskedScore, -2, kMaskedScore, -3};
  const std::vector<float> without = {-1, -2, -3};
  std::vector<float> a(5);
  std::vector<float> b(3);
  for (const bool use_softmax : {false, true}) {
    const auto run = [&](const std::vector<float>& scores, std::vector<float>& out) {
      return use_softmax ? softmax_row(scores, -1, 1, 0.5F, out)
                         : self_adversarial_row(scores, -1, 1, {3, 1}, out);
    };
    const RowLoss with_mask = run(masked, a);
    const RowLoss no_mask = run(without, b);
    EXPECT_NEAR(with_mask.loss, no_mask.loss, 1e-6);
    EXPECT_EQ(a[1], 0);
    EXPECT_EQ(a[3], 0);
    EXPECT_NEAR(a[4], b[2], 1e-7);
  }
}

TEST_P(LossRows, ExtremesStayFinite) {
  const std::vector<std::vector<float>> rows = {
      {kMaskedScore, kMaskedScore}, {-1e4F, 1e4F}, {0, 0, 0}, {-1e4F, -1e4F}, {1e4F}};
  for (const auto& scores : rows) {
    for (const float positive : {-1e4F, 0.0F, 1e4F}) {
      std::vector<float> derivatives(scores.size());
      for (const RowLoss row : {softmax_row(scores, positive, 1, 2, derivatives),
                                self_adversarial_row(scores, positive, 1, {9, 1}, derivatives)}) {
        EXPECT_TRUE(std::isfinite(row.loss));
        EXPECT_TRUE(std::isfinite(row.positive_derivative));
        for (const float derivative : derivatives) EXPECT_TRUE(std::isfinite(derivative));
      }
    }
  }
}

TEST_P(LossRows, DistancesFromProducts) {
  const std::vector<float> norms = {4, 9, 1, 1, 25, 0, 16, 2, 3};
  std::vector<float> products = {1, 2, 1.5F, 0.5F, -5,
                                 0, 4, 1,    1};  // the third gives a negative square: clamped
  const auto before = products;
  std::vector<float> squared = products;
  negative_distances(products, 1.0F, norms);
  negative_squared_distances(squared, 1.0F, norms);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    const double expected = std::max(0.0, 1.0 + norms[i] - 2.0 * before[i]);
    EXPECT_NEAR(squared[i], -expected, 1e-6);
    EXPECT_NEAR(products[i], -std::sqrt(expected + 1e-9), 1e-6);
  }
  std::vector<float> derivatives(norms.size(), 2.0F);
  divide_by_distances(derivatives, products);
  for (std::size_t i = 0; i < norms.size(); ++i)
    EXPECT_NEAR(derivatives[i], 2.0F / -products[i], 1e-4 * derivatives[i]);
  EXPECT_NEAR(sum(norms), 61, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Targets, LossRows, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
