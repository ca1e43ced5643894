#include "model/quantise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::model {
namespace {

using testing::ElementsAre;

TEST(Quantise, LevelsAreMeansOfEqualShares) {
  const std::vector<float> column = {8, 1, 2, 3, 4, 5, 6, 7};
  const QuantisedTable table = quantise(column, 1, 2, Context{});
  EXPECT_THAT(table.levels, ElementsAre(1.5F, 3.5F, 5.5F, 7.5F));
  EXPECT_THAT(table.codes, ElementsAre(3, 0, 0, 1, 1, 2, 2, 3));
}

TEST(Quantise, CodesArePackedFromTheLowestBit) {
  // Three columns of five bits with two rows: codes 0 and 16 everywhere (the upper half of equal levels).
  const std::vector<float> rows = {0, 0, 0, 1, 1, 1};
  const QuantisedTable table = quantise(rows, 3, 5, Context{});
  ASSERT_EQ(table.codes.size(), 4U);
  // 31 equal shares of two values: all of them in the last share of its half.
  const std::vector<float> back = restored(table.codes, table.levels, 2, 3, 5);
  EXPECT_THAT(back, ElementsAre(0, 0, 0, 1, 1, 1));
  const unsigned bits = table.codes[2] | (unsigned{table.codes[3]} << 8);
  EXPECT_EQ(bits & 31, (bits >> 5) & 31);
  EXPECT_EQ(bits & 31, (bits >> 10) & 31);
  EXPECT_EQ(bits >> 15, 0U);
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
      EXPECT_EQ(rows[i] < rows[0] ? back[i] <= back[0] : back[i] >= back[0], true);
  }
}

}  // namespace
}  // namespace greenkgc::model
