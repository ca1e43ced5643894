#include "simd/vector/byte_products.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class ByteProductsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(ByteProductsKernel, AreExact) {
  std::mt19937 random(1);
  for (const std::size_t width : {kByteGranule, 3 * kByteGranule}) {
    constexpr std::size_t kRows = 11;
    std::vector<std::int8_t> query(width);
    std::vector<std::int8_t> rows(width * kRows);
    for (std::int8_t& x : query) x = static_cast<std::int8_t>(random() % 256 - 128);
    for (std::int8_t& x : rows) x = static_cast<std::int8_t>(random() % 256 - 128);
    std::fill_n(rows.begin(), width, std::int8_t{-128});
    std::vector<std::int32_t> products(kRows);
    byte_products(query, rows.data(), products);
    for (std::size_t row = 0; row < kRows; ++row) {
      std::int32_t expected = 0;
      for (std::size_t i = 0; i < width; ++i) expected += query[i] * rows[row * width + i];
      EXPECT_EQ(products[row], expected) << row;
    }
  }
}

TEST_P(ByteProductsKernel, TheLargestProductsDoNotOverflow) {
  const std::vector<std::int8_t> lowest(1024 * kByteGranule, std::int8_t{-128});
  std::vector<std::int32_t> products(1);
  byte_products(lowest, lowest.data(), products);
  EXPECT_EQ(products[0], 16384 * 65536);
}

INSTANTIATE_TEST_SUITE_P(Targets, ByteProductsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
