#include "simd/vector/look_up.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class LookUpKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(LookUpKernel, IsAPlainLoop) {
  for (const std::size_t size : {1U, 5U, 256U}) {
    std::vector<float> table;
    for (std::size_t i = 0; i < size; ++i) table.push_back(static_cast<float>(i) * 1.5F - 7);
    std::vector<std::uint8_t> places;
    for (std::size_t i = 0; i < 77; ++i) places.push_back(static_cast<std::uint8_t>(i * 37 % size));
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 77U}) {
      std::vector<float> out(count + 1, 99);
      look_up(table, {places.data(), count}, out.data());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(out[i], table[places[i]]) << i;
      EXPECT_EQ(out[count], 99);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, LookUpKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
