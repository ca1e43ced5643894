#include "math/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"

namespace greenkgc::math {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A matrix with `padding` more floats per row than columns.
struct Matrix {
  std::size_t rows;
  std::size_t cols;
  std::size_t stride;
  std::vector<float> data;

  Matrix(std::size_t r, std::size_t c, std::size_t padding, float fill)
      : rows(r), cols(c), stride(c + padding), data(r * stride + 1, fill) {}
  float& at(std::size_t i, std::size_t j) { return data[i * stride + j]; }
  float at(std::size_t i, std::size_t j) const { return data[i * stride + j]; }
  MatrixView view() const { return {data.data(), rows, cols, stride}; }
  MutableMatrixView mutable_view() { return {data.data(), rows, cols, stride}; }
};

// NaN in the padding shows in the product if it is read.
Matrix random_matrix(std::size_t rows, std::size_t cols, std::size_t padding, std::uint32_t stream) {
  const CounterRandom random(3, stream);
  Matrix m(rows, cols, padding, kNan);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      m.at(i, j) = static_cast<float>(random.unit(i * cols + j) * 2 - 1);
    }
  }
  return m;
}

std::vector<double> plain_loop(const Matrix& a, const Matrix& b, const Matrix& c,
                               const GemmOptions& options) {
  const bool ta = options.transpose_a == Transpose::kYes;
  const bool tb = options.transpose_b == Transpose::kYes;
  const std::size_t inner = ta ? a.rows : a.cols;
  std::vector<double> result;
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        sum += double{ta ? a.at(k, i) : a.at(i, k)} * double{tb ? b.at(j, k) : b.at(k, j)};
      }
      const double kept = options.beta == 0 ? 0 : double{options.beta} * c.at(i, j);
      result.push_back(double{options.alpha} * sum + kept);
    }
  }
  return result;
}

struct Shape {
  std::size_t rows;
  std::size_t cols;
  std::size_t inner;
};

// Both gemm and parallel_gemm against the loop, with all transposes.
void check(const Shape& shape, std::size_t padding, float alpha, float beta) {
  for (const Transpose ta : {Transpose::kNo, Transpose::kYes}) {
    for (const Transpose tb : {Transpose::kNo, Transpose::kYes}) {
      const GemmOptions options{ta, tb, alpha, beta};
      const Matrix a = ta == Transpose::kYes ? random_matrix(shape.inner, shape.rows, padding, 1)
                                             : random_matrix(shape.rows, shape.inner, padding, 1);
      const Matrix b = tb == Transpose::kYes ? random_matrix(shape.cols, shape.inner, padding, 2)
                                             : random_matrix(shape.inner, shape.cols, padding, 2);
      const Matrix c = beta == 0 ? Matrix(shape.rows, shape.cols, padding, kNan)
                                 : random_matrix(shape.rows, shape.cols, padding, 3);
      const std::vector<double> expected = plain_loop(a, b, c, options);
      Matrix serial = c;
      Matrix parallel = c;
      Context context;
      context.threads = 3;
      gemm(a.view(), b.view(), serial.mutable_view(), options);
      parallel_gemm(context, a.view(), b.view(), parallel.mutable_view(), options);
      // Each of the inner + 2 roundings is at most half a unit of a sum that stays below the bound.
      const double tolerance = 0x1p-24 * static_cast<double>(shape.inner + 2) *
                               (std::abs(alpha) * static_cast<double>(shape.inner) + std::abs(beta));
      for (std::size_t i = 0; i < shape.rows; ++i) {
        for (std::size_t j = 0; j < shape.cols; ++j) {
          ASSERT_NEAR(serial.at(i, j), expected[i * shape.cols + j], tolerance) << i << " " << j;
          ASSERT_NEAR(parallel.at(i, j), expected[i * shape.cols + j], tolerance) << i << " " << j;
        }
        for (std::size_t j = shape.cols; j < c.stride; ++j) {
          ASSERT_TRUE(std::isnan(serial.at(i, j)) && std::isnan(parallel.at(i, j))) << "padding was written";
        }
      }
    }
  }
}

TEST(Gemm, AllTransposesAndShapesAgainstALoop) {
  const Shape shapes[] = {{1, 1, 1},    {1, 5, 3},   {5, 1, 3},     {2, 3, 4},
                          {16, 16, 16}, {17, 33, 9}, {64, 100, 70}, {300, 7, 20}};
  for (const Shape& shape : shapes) {
    for (const std::size_t padding : {0, 1, 5}) {
      SCOPED_TRACE(testing::Message()
                   << shape.rows << "x" << shape.cols << "x" << shape.inner << " padding " << padding);
      check(shape, padding, 1, 0);
    }
  }
}

TEST(Gemm, AlphaAndBeta) {
  for (const float alpha : {0.0F, 1.0F, -0.5F}) {
    for (const float beta : {0.0F, 1.0F, 0.25F, -2.0F}) {
      SCOPED_TRACE(testing::Message() << "alpha " << alpha << " beta " << beta);
      check({20, 30, 10}, 2, alpha, beta);
    }
  }
}

TEST(Gemm, BetaZeroOverwritesNan) {
  const Matrix a = random_matrix(40, 50, 0, 1);
  const Matrix b = random_matrix(50, 60, 0, 2);
  Matrix c(40, 60, 0, kNan);
  gemm(a.view(), b.view(), c.mutable_view());
  for (std::size_t i = 0; i < 40 * 60; ++i) ASSERT_FALSE(std::isnan(c.data[i]));
}

TEST(Gemm, NoInnerDimensionGivesZeroOrScalesC) {
  check({3, 4, 0}, 0, 1, 0);
  check({3, 4, 0}, 2, 1, 0.5F);
}

TEST(Gemm, NothingToDo) {
  for (const Shape& shape : {Shape{0, 4, 3}, Shape{4, 0, 3}, Shape{0, 0, 0}}) check(shape, 0, 1, 0);
}

TEST(Gemm, ParallelResultDoesNotDependOnThreads) {
  const Matrix a = random_matrix(1000, 33, 0, 1);
  const Matrix b = random_matrix(33, 50, 0, 2);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    Context context;
    context.threads = threads;
    Matrix c(1000, 50, 0, 0);
    parallel_gemm(context, a.view(), b.view(), c.mutable_view());
    results.push_back(c.data);
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

TEST(Gemm, BlasNamesItsVersionAndCore) {
  const std::string text = blas_description();
  EXPECT_TRUE(text.starts_with("OpenBLAS ")) << text;
  EXPECT_EQ(text.find("  "), std::string::npos) << text;
}

#if defined(__x86_64__)
TEST(Gemm, NewProcessorIsNotTakenForTheOldest) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU is an old one";
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE chooses here";
  EXPECT_EQ(blas_description().find("Prescott"), std::string::npos) << blas_description();
}
#endif

}  // namespace
}  // namespace greenkgc::math
