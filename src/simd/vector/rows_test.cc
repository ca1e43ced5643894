#include "simd/vector/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

std::vector<float> random_row(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> row(n);
  for (float& x : row) x = normal(random);
  return row;
}

// Every instruction set that the machine has, and lengths around the widths of vectors.
class Rows : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
  static std::vector<std::size_t> lengths() {
    return {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 257, 1000};
  }
};

TEST_P(Rows, ReductionsAgreeWithPlainLoops) {
  for (const std::size_t n : lengths()) {
    const auto a = random_row(n, 1);
    const auto b = random_row(n, 2);
    double product = 0;
    double squared = 0;
    for (std::size_t i = 0; i < n; ++i) {
      product += static_cast<double>(a[i]) * b[i];
      squared += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
    }
    const double tolerance = 1e-6 * static_cast<double>(n + 1);
    EXPECT_NEAR(dot(a, b), product, tolerance) << n;
    EXPECT_NEAR(squared_distance(a, b), squared, 4 * tolerance) << n;
  }
}

TEST_P(Rows, ElementwiseOnesAgreeWithPlainLoops) {
  for (const std::size_t n : lengths()) {
    const auto x = random_row(n, 3);
    auto y = random_row(n, 4);
    const auto before = y;
    add_scaled(y, -0.5F, x);
    auto added = before;
    add_combination(added, 2.0F, x, -3.0F, y);
    std::vector<float> combined(n);
    set_combination(combined, 2.0F, x, -3.0F, y);
    std::vector<float> sine(n);
    std::vector<float> cosine(n);
    sin_cos(x, sine, cosine);
    std::vector<float> weights = before;
    std::vector<float> state(n, 0.25F);
    adagrad_step(weights, state, x, 0.1F);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(y[i], before[i] - 0.5F * x[i], 1e-6);
      EXPECT_NEAR(combined[i], 2 * x[i] - 3 * y[i], 1e-5);
      EXPECT_NEAR(added[i], before[i] + combined[i], 1e-5);
      EXPECT_NEAR(sine[i], std::sin(x[i]), 1e-6);
      EXPECT_NEAR(cosine[i], std::cos(x[i]), 1e-6);
      EXPECT_NEAR(state[i], 0.25F + x[i] * x[i], 1e-5);
      EXPECT_NEAR(weights[i], before[i] - 0.1F * x[i] / std::sqrt(0.25F + x[i] * x[i]), 1e-6);
    }
  }
}

TEST_P(Rows, ComplexProductsAgreeWithTheStandardLibrary) {
  for (const std::size_t dims : lengths()) {
    const auto a = random_row(2 * dims, 7);
    const auto b = random_row(2 * dims, 8);
    std::vector<float> product(2 * dims);
    multiply_complex(a, b, Conjugate::kNo, product);
    auto in_place = b;
    multiply_complex(a, in_place, Conjugate::kYes, in_place);
    std::vector<float> imaginary(dims);
    imaginary_product(a, b, -2.0F, imaginary);
    for (std::size_t i = 0; i < dims; ++i) {
      const std::complex<double> x(a[i], a[dims + i]);
      const std::complex<double> y(b[i], b[dims + i]);
      EXPECT_NEAR(product[i], (x * y).real(), 1e-5);
      EXPECT_NEAR(product[dims + i], (x * y).imag(), 1e-5);
      EXPECT_NEAR(in_place[i], (x * std::conj(y)).real(), 1e-5);
      EXPECT_NEAR(in_place[dims + i], (x * std::conj(y)).imag(), 1e-5);
      EXPECT_NEAR(imaginary[i], -2 * (std::conj(x) * y).imag(), 1e-5);
    }
  }
}

TEST_P(Rows, AdagradLeavesARowWithoutGradientAlone) {
  std::vector<float> weights(20, 1.0F);
  std::vector<float> state(20, 0.0F);
  adagrad_step(weights, state, std::vector<float>(20, 0.0F), 0.1F);
  EXPECT_EQ(weights, std::vector<float>(20, 1.0F));
}

TEST_P(Rows, SinCosOfManyTurns) {
  std::vector<float> angle;
  for (int i = -2000; i <= 2000; ++i) angle.push_back(static_cast<float>(i) * 0.05F);
  std::vector<float> sine(angle.size());
  std::vector<float> cosine(angle.size());
  sin_cos(angle, sine, cosine);
  for (std::size_t i = 0; i < angle.size(); ++i) {
    EXPECT_NEAR(sine[i], std::sin(static_cast<double>(angle[i])), 2e-6);
    EXPECT_NEAR(cosine[i], std::cos(static_cast<double>(angle[i])), 2e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Rows, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
