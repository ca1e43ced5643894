#include "simd/vector/manhattan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

std::vector<float> random_numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(n);
  for (float& x : numbers) x = normal(random);
  return numbers;
}

// Every instruction set that the machine has; counts and widths around the sizes of tiles.
class Manhattan : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(Manhattan, AgreesWithPlainLoops) {
  for (const std::size_t width : {0, 1, 3, 8, 15, 16, 17, 31, 32, 33, 47, 64, 100}) {
    for (const std::size_t queries : {1, 3, 4, 5, 8}) {
      for (const std::size_t rows : {1, 2, 3, 7}) {
        const std::size_t stride = width + 3;
        const auto q = random_numbers(queries * stride, 1);
        const auto c = random_numbers(rows * stride, 2);
        std::vector<float> weights = random_numbers(queries * rows, 3);
        for (float& weight : weights) weight = std::abs(weight);
        std::vector<float> scores(queries * (rows + 1), 7.0F);
        std::vector<float> gradients(queries * width, 1.0F);
        negative_manhattan_distances(RowNumbers::kReal, {q.data(), queries, stride}, {c.data(), rows, stride},
                                     width, scores.data(), rows + 1);
        add_manhattan_gradients(RowNumbers::kReal, {q.data(), queries, stride}, {c.data(), rows, stride},
                                width, {weights.data(), 1, queries}, gradients.data());
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t j = 0; j < rows; ++j) {
            double distance = 0;
            for (std::size_t k = 0; k < width; ++k)
              distance += std::abs(static_cast<double>(q[i * stride + k]) - c[j * stride + k]);
            EXPECT_NEAR(scores[i * (rows + 1) + j], -distance, 1e-4);
          }
          EXPECT_EQ(scores[i * (rows + 1) + rows], 7.0F) << "beyond the rows";
          for (std::size_t k = 0; k < width; ++k) {
            double expected = 1;
            for (std::size_t j = 0; j < rows; ++j) {
              const float weight = weights[j * queries + i];
              expected += c[j * stride + k] > q[i * stride + k] ? weight : -weight;
            }
            EXPECT_NEAR(gradients[i * width + k], expected, 1e-5);
          }
        }
      }
    }
  }
}

TEST_P(Manhattan, OfComplexRowsAgreesWithPlainLoops) {
  for (const std::size_t dims : {0, 1, 3, 8, 15, 16, 17, 31, 32, 33, 50}) {
    for (const std::size_t queries : {1, 3, 4, 5, 8}) {
      for (const std::size_t rows : {1, 2, 3, 7}) {
        const std::size_t width = 2 * dims;
        const std::size_t stride = width + 3;
        const auto q = random_numbers(queries * stride, 1);
        auto c = random_numbers(rows * stride, 2);
        std::copy_n(q.begin(), width, c.begin());  // a pair without a difference
        std::vector<float> weights = random_numbers(queries * rows, 3);
        for (float& weight : weights) weight = std::abs(weight);
        std::vector<float> scores(queries * (rows + 1), 7.0F);
        std::vector<double> expected(queries * width, 1.0);
        std::vector<float> gradients(queries * width, 1.0F);
        negative_manhattan_distances(RowNumbers::kComplex, {q.data(), queries, stride},
                                     {c.data(), rows, stride}, width, scores.data(), rows + 1);
        add_manhattan_gradients(RowNumbers::kComplex, {q.data(), queries, stride}, {c.data(), rows, stride},
                                width, {weights.data(), 1, queries}, gradients.data());
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t j = 0; j < rows; ++j) {
            double distance = 0;
            for (std::size_t k = 0; k < dims; ++k) {
              const double real = static_cast<double>(c[j * stride + k]) - q[i * stride + k];
              const double imaginary =
                  static_cast<double>(c[j * stride + dims + k]) - q[i * stride + dims + k];
              const double modulus = std::hypot(real, imaginary);
              distance += modulus;
              if (modulus == 0) continue;
              expected[i * width + k] += weights[j * queries + i] * real / modulus;
              expected[i * width + dims + k] += weights[j * queries + i] * imaginary / modulus;
            }
            EXPECT_NEAR(scores[i * (rows + 1) + j], -distance, 1e-4);
          }
          EXPECT_EQ(scores[i * (rows + 1) + rows], 7.0F) << "beyond the rows";
        }
        for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(gradients[k], expected[k], 1e-4);
      }
    }
  }
}

TEST_P(Manhattan, OfOnePair) {
  EXPECT_EQ(manhattan_distance(RowNumbers::kComplex, std::vector<float>{1, 0, 4, 2},
                               std::vector<float>{1, 3, 0, -2}),
            9.0F);
  EXPECT_EQ(
      manhattan_distance(RowNumbers::kReal, std::vector<float>{1, -2, 3}, std::vector<float>{0, 2, 3.5F}),
      5.5F);
}

INSTANTIATE_TEST_SUITE_P(Targets, Manhattan, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
