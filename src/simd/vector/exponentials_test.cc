#include "simd/vector/exponentials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class ExponentialsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(ExponentialsKernel, AreThoseOfTheLibrary) {
  for (const std::size_t size : {0U, 1U, 7U, 16U, 61U}) {
    std::vector<float> values(size + 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 3 - 1.37F * static_cast<float>(i);
    std::vector<float> results(size + 2, -1);
    // One float off alignment; the one behind stays.
    shifted_exponentials(std::span(values).subspan(1), 3, std::span(results).subspan(1, size));
    for (std::size_t i = 1; i <= size; ++i) {
      const double expected = std::exp(static_cast<double>(values[i]) - 3);
      EXPECT_NEAR(static_cast<double>(results[i]), expected, 1e-6 * expected + 1e-37) << i;
    }
    EXPECT_EQ(results[size + 1], -1);
  }
  const std::vector<float> far = {-1000};
  std::vector<float> nothing(1);
  shifted_exponentials(far, 0, nothing);
  EXPECT_EQ(nothing[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, ExponentialsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
