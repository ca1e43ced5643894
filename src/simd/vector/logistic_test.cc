#include "simd/vector/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class Logistic : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }

  struct Samples {
    std::vector<std::vector<float>> values;
    LabelledColumns view() const {
      LabelledColumns view{{}, values.size(), positives, values.front().size() - positives};
      for (std::size_t v = 0; v < values.size(); ++v) view.columns[v] = values[v].data();
      return view;
    }
    std::size_t positives;
  };
  static Samples random_samples(std::size_t variables, std::size_t positives, std::size_t negatives) {
    std::mt19937 random(static_cast<unsigned>(variables + 10 * positives + 1000 * negatives));
    std::normal_distribution<float> normal(0.3F, 2);
    Samples samples{std::vector(variables, std::vector<float>(positives + negatives)), positives};
    for (auto& column : samples.values) {
      for (float& x : column) x = normal(random);
    }
    return samples;
  }
};

// The definitions, sample by sample.
TEST_P(Logistic, SumsAreThoseOfPlainLoops) {
  const std::vector<double> weights = {0.5, -1, 2, 0.1, -0.3, 1};
  for (const std::size_t variables : {1, 2, 3, 4, 5, 6}) {
    for (const auto& [positives, negatives] :
         {std::pair<std::size_t, std::size_t>{1, 0}, {0, 3}, {17, 16}, {100, 37}, {9000, 9001}}) {
      const Samples samples = random_samples(variables, positives, negatives);
      LogisticSums expected;
      for (std::size_t i = 0; i < positives + negatives; ++i) {
        double z = 0;
        for (std::size_t v = 0; v < variables; ++v)
          z += weights[v] * static_cast<double>(samples.values[v][i]);
        const double y = i < positives ? 1 : 0;
        const double p = 1 / (1 + std::exp(-z));
        expected.loss -= y > 0 ? std::log(p) : std::log(1 / (1 + std::exp(z)));
        std::size_t h = 0;
        for (std::size_t v = 0; v < variables; ++v) {
          const double x = samples.values[v][i];
          expected.gradient[v] += (p - y) * x;
          for (std::size_t u = 0; u <= v; ++u)
            expected.hessian[h++] += p * (1 - p) * x * static_cast<double>(samples.values[u][i]);
        }
      }
      const LogisticSums sums = logistic_sums(samples.view(), std::span(weights).first(variables));
      EXPECT_NEAR(sums.loss, expected.loss, 1e-9 * (1 + expected.loss));
      for (std::size_t v = 0; v < variables; ++v)
        EXPECT_NEAR(sums.gradient[v], expected.gradient[v], 1e-9 * (1 + std::abs(expected.gradient[v])));
      for (std::size_t h = 0; h < variables * (variables + 1) / 2; ++h)
        EXPECT_NEAR(sums.hessian[h], expected.hessian[h], 1e-9 * (1 + std::abs(expected.hessian[h])));
    }
  }
}

TEST_P(Logistic, ProjectionsAreWeightedSums) {
  const std::vector<double> weights = {0.5, -1, 2, 0.1, -0.3, 1};
  for (const std::size_t variables : {1, 2, 3, 4, 5, 6}) {
    const Samples samples = random_samples(variables, 17, 16);
    std::vector<double> projections(33);
    project(samples.view(), std::span(weights).first(variables), projections);
    for (std::size_t i = 0; i < projections.size(); ++i) {
      double z = 0;
      for (std::size_t v = 0; v < variables; ++v) z += weights[v] * static_cast<double>(samples.values[v][i]);
      EXPECT_NEAR(projections[i], z, 1e-12 * (1 + std::abs(z)));
    }
  }
}

TEST_P(Logistic, EqualSamplesHaveEqualProjectionsInTheTailToo) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    Samples samples{{}, 20};
    std::vector<double> weights;
    for (int v = 0; v < 5; ++v) {
      samples.values.emplace_back(39, static_cast<float>(normal(random)));
      weights.push_back(normal(random));
    }
    std::vector<double> projections(39);
    project(samples.view(), weights, projections);
    for (const double z : projections) EXPECT_EQ(z, projections[0]);
  }
}

TEST_P(Logistic, ExtremesStayFinite) {
  const Samples samples{{{1e38F, -1e38F, 0, 1e-38F, 3e38F}}, 2};
  const std::vector<double> weights = {1e3};
  const LogisticSums sums = logistic_sums(samples.view(), weights);
  EXPECT_TRUE(std::isfinite(sums.loss));
  EXPECT_TRUE(std::isfinite(sums.gradient[0]));
  EXPECT_TRUE(std::isfinite(sums.hessian[0]));
}

INSTANTIATE_TEST_SUITE_P(Targets, Logistic, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
