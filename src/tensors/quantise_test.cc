#include "tensors/quantise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::tensors {
namespace {

using testing::ElementsAre;

TEST(Quantise, LevelsAreMeansOfEqualShares) {
  const std::vector<float> column = {8, 1, 2, 3, 4, 5, 6, 7};
  const QuantisedTable table = quantise(column, 1, 2, Context{});
  EXPECT_THAT(table.levels, ElementsAre(1.5F, 3.5F, 5.5F, 7.5F));
  EXPECT_THAT(table.codes, ElementsAre(3, 0, 0, 1, 1, 2, 2, 3));
}

// By hand: codes 1, 2, 3 and 31, 0, 16 of five bits are 1 + 2 * 32 + 3 * 1024 = 0x0C41 and 31 + 16 * 1024 =
// 0x401F.
TEST(Quantise, CodesArePackedFromTheLowestBit) {
  std::vector<float> levels;
  for (int column = 0; column < 3; ++column) {
    for (int code = 0; code < 32; ++code) levels.push_back(static_cast<float>(100 * column + code));
  }
  const std::vector<std::uint8_t> codes = {0x41, 0x0C, 0x1F, 0x40};
  EXPECT_THAT(restored(codes, levels, 2, 3, 5), ElementsAre(1, 102, 203, 31, 100, 216));
}

// 64 rows of 0 to 63 in three columns: two values a level, so the code of row i is i / 2.
TEST(Quantise, PacksWhatItRestores) {
  std::vector<float> rows;
  for (int i = 0; i < 64; ++i) rows.insert(rows.end(), 3, static_cast<float>(i));
  const QuantisedTable table = quantise(rows, 3, 5, Context{});
  ASSERT_EQ(table.codes.size(), 128U);
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned code = i / 2;
    EXPECT_EQ(table.codes[2 * i] | (unsigned{table.codes[2 * i + 1]} << 8),
              code | (code << 5) | (code << 10));
  }
}

TEST(Quantise, ErrorFallsWithBitsAndOrderStays) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> rows(7 * 3000);
  for (float& x : rows) x = normal(random);
  double before = 1e9;
  for (const unsigned bits : {3, 5, 8}) {
    const QuantisedTable table = quantise(rows, 7, bits, Context{.threads = 1});
    EXPECT_EQ(table.codes, quantise(rows, 7, bits, Context{.threads = 3}).codes);
    const auto back = restored(table.codes, table.levels, 3000, 7, bits);
    double error = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) error += std::pow(rows[i] - back[i], 2);
    EXPECT_LT(error, before / 4);
    before = error;
    for (std::size_t i = 7; i < rows.size(); i += 7)
      EXPECT_TRUE(rows[i] < rows[0] ? back[i] <= back[0] : back[i] >= back[0]);
  }
}

}  // namespace
}  // namespace greenkgc::tensors
