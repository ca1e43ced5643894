#include "features/prune/dft.h"
#include "features/phase_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::features {
namespace {

using testing::ElementsAre;

struct Columns {
  std::vector<std::vector<float>> values;
  std::size_t positives;

  simd::LabelledColumns view() const {
    simd::LabelledColumns view{{}, values.size(), positives, values.front().size() - positives};
    for (std::size_t v = 0; v < values.size(); ++v) view.columns[v] = values[v].data();
    return view;
  }
};

Columns random_columns(std::size_t variables, std::size_t n, float shift) {
  std::mt19937 random(static_cast<unsigned>(variables + n));
  std::normal_distribution<float> normal;
  Columns columns{std::vector(variables, std::vector<float>(n)), n / 2};
  for (auto& column : columns.values) {
    for (std::size_t i = 0; i < n; ++i) column[i] = normal(random) + (i < n / 2 ? shift : 0.0F);
  }
  return columns;
}

// d/dw (sum of log-losses + |w - prior|^2 / 2), sample by sample.
std::vector<double> gradient(const Columns& columns, const math::VariableWeights& w,
                             const math::VariableWeights& prior = {}) {
  std::vector<double> g(columns.values.size());
  for (std::size_t v = 0; v < g.size(); ++v) g[v] = w[v] - prior[v];
  for (std::size_t i = 0; i < columns.values[0].size(); ++i) {
    double z = 0;
    for (std::size_t v = 0; v < g.size(); ++v) z += w[v] * static_cast<double>(columns.values[v][i]);
    const double residual = 1 / (1 + std::exp(-z)) - (i < columns.positives ? 1 : 0);
    for (std::size_t v = 0; v < g.size(); ++v) g[v] += residual * static_cast<double>(columns.values[v][i]);
  }
  return g;
}

TEST(FitLogistic, TheGradientVanishes) {
  for (const std::size_t variables : {1, 3, 5, 6}) {
    for (const float shift : {0.0F, 0.5F, 20.0F}) {  // nothing to learn, something, separable
      const Columns columns = random_columns(variables, 501, shift);
      const math::LogisticFit fit = math::fit_logistic(columns.view());
      EXPECT_TRUE(fit.converged);
      for (const double g : gradient(columns, fit.weights)) EXPECT_NEAR(g, 0, 1e-7);
    }
  }
}

TEST(FitLogistic, HoldsTheWeightsToAPrior) {
  const math::VariableWeights prior = {2, -1, 0.5};
  const Columns columns = random_columns(3, 501, 0.5F);
  const math::LogisticFit fit = math::fit_logistic(columns.view(), prior);
  EXPECT_TRUE(fit.converged);
  for (const double g : gradient(columns, fit.weights, prior)) EXPECT_NEAR(g, 0, 1e-7);
  const Columns nothing{{{0, 0}, {0, 0}, {0, 0}}, 1};  // says nothing, so the prior stands
  EXPECT_EQ(math::fit_logistic(nothing.view(), prior).weights, prior);
}

// Values worked out by hand: two samples x = 1 (true) and x = -1 (false) give w = 2 sigma(-w), so w =
// 0.6748...
TEST(FitLogistic, TwoSamples) {
  const Columns columns{{{1, -1}}, 1};
  const double w = math::fit_logistic(columns.view()).weights[0];
  EXPECT_NEAR(w, 2 / (1 + std::exp(w)), 1e-9);
  EXPECT_NEAR(w, 0.6748, 1e-4);
}

TEST(FitLogistic, EqualAndConstantColumnsAndHugeNumbers) {
  Columns columns = random_columns(3, 200, 1);
  columns.values[1] = columns.values[0];
  columns.values[2].assign(200, 0.0F);
  const math::LogisticFit fit = math::fit_logistic(columns.view());
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.weights[0], fit.weights[1], 1e-9);
  EXPECT_EQ(fit.weights[2], 0);
  for (float& x : columns.values[0]) x *= 1e37F;
  for (const double w : math::fit_logistic(columns.view()).weights) EXPECT_TRUE(std::isfinite(w));
}

TEST(PrincipalComponent, IsTheDirectionOfMostVariance) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  Columns columns{std::vector(3, std::vector<float>(4000)), 1000};
  for (std::size_t i = 0; i < 4000; ++i) {
    const float along = 5 * normal(random);
    columns.values[0][i] = 100 + 0.6F * along + 0.1F * normal(random);  // a mean far off must not count
    columns.values[1][i] = -0.8F * along + 0.1F * normal(random);
    columns.values[2][i] = normal(random);
  }
  const math::VariableWeights w = principal_component(columns.view());
  EXPECT_NEAR(w[0], -0.6, 0.01);
  EXPECT_NEAR(w[1], 0.8, 0.01) << "the largest weight is positive";
  EXPECT_NEAR(w[2], 0, 0.02);
  EXPECT_NEAR(total_variance(columns.view()), 25 + 1 + 0.02, 1.5);
}

TEST(HistogramOf, EqualBinsAndBothEnds) {
  const Columns columns{{{0, 1, 2, 3, 4, 4, 8, 3.9F}}, 5};
  const Histogram histogram = histogram_of(columns.view(), {1}, 4);
  EXPECT_EQ(histogram.low, 0);
  EXPECT_EQ(histogram.high, 8);
  EXPECT_THAT(histogram.positives, ElementsAre(2, 2, 1, 0));
  EXPECT_THAT(histogram.negatives, ElementsAre(0, 1, 1, 1));
}

// By hand: left 3 true 1 false (0.8113 bits), right 1 true 3 false.
TEST(BestSplit, WeightedEntropyInBits) {
  const Split split = best_split({0, 2, {3, 1}, {1, 3}});
  EXPECT_NEAR(split.cost, 0.811278, 1e-6);
  EXPECT_EQ(split.point, 1);
  const Split uneven = best_split({0, 3, {4, 0, 2}, {0, 1, 1}});
  // After bin 0: 4 pure, then 2 of 4 true; 4 bits over 8 samples. After bin 1: 4/5 and 2/3.
  EXPECT_NEAR(uneven.cost, 0.5, 1e-12);
  EXPECT_EQ(uneven.point, 1);
}

TEST(BestSplit, DegenerateDimensionsHaveDefinedCosts) {
  EXPECT_EQ(best_split({0, 1, {5, 0}, {0, 5}}).cost, 0) << "separable";
  EXPECT_EQ(best_split({7, 7, {5, 0}, {5, 0}}).cost, 1) << "constant";
  EXPECT_EQ(best_split({7, 7, {5, 0}, {5, 0}}).point, 7);
  EXPECT_EQ(best_split({0, 1, {5, 5}, {0, 0}}).cost, 0) << "one label only";
  EXPECT_EQ(best_split({0, 0, {0, 0}, {0, 0}}).cost, 1) << "no samples";
  EXPECT_NEAR(best_split({0, 1, {5, 5}, {5, 5}}).cost, 1, 1e-12) << "no information";
}

class TestDimensions : public testing::Test {
 protected:
  // Dimension 1 tells tails of relation 0 by their sign; dimension 0 is noise, dimension 2 constant.
  TestDimensions() {
    embeddings_.kge = &kge::kge_model("transe");
    embeddings_.dims = 3;
    embeddings_.entity_count = 100;
    embeddings_.relation_count = 2;
    std::mt19937 random(9);
    std::normal_distribution<float> normal;
    for (std::uint32_t e = 0; e < 100; ++e) {
      for (const float x :
           {normal(random), e < 50 ? -1 + 0.1F * normal(random) : 1 + 0.1F * normal(random), 0.0F})
        embeddings_.entities.push_back(x);
    }
    embeddings_.relations.assign(6, 0.0F);
    for (std::uint32_t i = 0; i < 300; ++i) {
      add(i % 100, i % 2, i % 50);
      ++samples_.positives;
    }
    for (std::uint32_t i = 0; i < 300; ++i) add(i % 100, i % 2, 50 + i % 50);
  }
  void add(std::uint32_t h, std::uint32_t r, std::uint32_t t) {
    samples_.heads.push_back(h);
    samples_.relations.push_back(r);
    samples_.tails.push_back(t);
  }
  kge::Embeddings embeddings_;
  SampleSet samples_;
};

TEST_F(TestDimensions, CostsTellTheDimensionThatMatters) {
  const features::TripleVariables variables(embeddings_, features::PhaseForm::kAngle);
  const std::vector sets = {samples_, SampleSet{}};
  for (const Projection projection : {Projection::kLogistic, Projection::kPrincipalComponent}) {
    const auto tests = test_dimensions(variables, sets, {projection, 32}, Context{});
    EXPECT_GT(tests[0][0].cost, 0.8);
    EXPECT_EQ(tests[0][2].cost, 1);
    for (const DimensionTest& test : tests[1]) EXPECT_EQ(test.cost, 1) << "no samples";
    if (projection == Projection::kLogistic) {
      EXPECT_EQ(tests[0][1].cost, 0);
      EXPECT_LT(tests[0][1].weights[2], -1) << "true tails are negative";
    }
  }
}

// Constants that are not 0, a single label, labels that are apart: through the whole test, not the split
// alone.
TEST_F(TestDimensions, DegenerateDimensionsHaveDefinedCosts) {
  for (std::uint32_t e = 0; e < 100; ++e) {
    embeddings_.entities[3 * e] = 0.3F;
    embeddings_.entities[3 * e + 2] = e < 50 ? 7.0F : 7.5F;
  }
  embeddings_.relations = {0.7F, 0, 0, 0.7F, 0, 0};
  SampleSet observed = samples_;
  observed.heads.resize(300);
  observed.relations.resize(300);
  observed.tails.resize(300);
  SampleSet corrupted = observed;
  corrupted.positives = 0;
  const features::TripleVariables variables(embeddings_, features::PhaseForm::kAngle);
  const std::vector sets = {samples_, observed, corrupted};
  for (const Projection projection : {Projection::kLogistic, Projection::kPrincipalComponent}) {
    const auto tests = test_dimensions(variables, sets, {projection, 32}, Context{});
    EXPECT_EQ(tests[0][0].cost, 1) << "constant";
    EXPECT_TRUE(tests[0][0].converged);
    if (projection == Projection::kLogistic) {
      EXPECT_EQ(tests[0][2].cost, 0) << "apart";
    }
    for (const std::size_t one_label : {1, 2}) {
      for (const DimensionTest& test : tests[one_label]) {
        EXPECT_EQ(test.cost, 0);
        EXPECT_TRUE(test.converged);
        EXPECT_TRUE(std::isfinite(test.split));
      }
    }
  }
}

TEST_F(TestDimensions, SameBitsForAnyNumberOfThreads) {
  embeddings_.dims = 50;  // several pieces of work
  std::mt19937 random(10);
  std::normal_distribution<float> normal;
  embeddings_.entities.resize(100 * 50);
  embeddings_.relations.resize(2 * 50);
  for (float& x : embeddings_.entities) x = normal(random);
  for (float& x : embeddings_.relations) x = normal(random);
  const features::TripleVariables variables(embeddings_, features::PhaseForm::kAngle);
  const std::vector sets = {samples_};
  const auto one = test_dimensions(variables, sets, {}, Context{.threads = 1});
  const auto three = test_dimensions(variables, sets, {}, Context{.threads = 3});
  for (std::size_t dim = 0; dim < 50; ++dim) {
    EXPECT_EQ(one[0][dim].cost, three[0][dim].cost);
    EXPECT_EQ(one[0][dim].weights, three[0][dim].weights);
  }
}

}  // namespace
}  // namespace greenkgc::features
