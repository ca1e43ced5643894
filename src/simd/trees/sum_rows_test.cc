#include "simd/trees/sum_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class SumRowsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }

  GradientPair random_pair() {
    return {static_cast<std::int32_t>(random_()), static_cast<std::int32_t>(random_() % (1U << 31))};
  }

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  std::mt19937 random_{3};
};

void add(GradientSums& sums, const GradientPair& pair) {
  sums += {pair.gradient, pair.hessian};
}

TEST_P(SumRowsKernel, AddsEachRowToTheTablesOfItsKeys) {
  constexpr std::uint32_t kKeys = 9;
  constexpr std::size_t kRows = 700;
  const std::vector<std::uint8_t> column_of_slot = {2, 0, 1, 2, 4, 3};
  constexpr std::size_t kColumns = 5;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint8_t> slots;
  std::vector<GradientPair> gradients;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    keys.push_back(below(kKeys));
    slots.push_back(static_cast<std::uint8_t>(below(6)));
    gradients.push_back(random_pair());
    if (row % 100 < 60 && random_() % 3 != 0) rows.push_back(row);  // some runs have none
  }
  std::vector<RowRun> runs;
  for (std::uint32_t begin = 0; begin < kRows;) {
    const std::uint32_t end = std::min<std::uint32_t>(kRows, begin + 1 + below(30));
    runs.push_back(
        {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end), {below(kKeys), below(kKeys)}});
    begin = end;
  }

  std::vector<GradientSums> expected(kKeys * kColumns, GradientSums{5, 7});
  std::vector<GradientSums> table = expected;
  for (const std::uint32_t row : rows) {
    for (const RowRun& run : runs) {
      if (row < run.begin || row >= run.end) continue;
      for (const std::uint32_t key : {keys[row], run.shared_keys[0], run.shared_keys[1]})
        add(expected[key * kColumns + column_of_slot[slots[row]]], gradients[row]);
    }
  }
  sum_rows({rows, runs, keys.data(), slots.data(), gradients.data(), column_of_slot.data(), kColumns},
           table.data());
  EXPECT_EQ(table, expected);
}

TEST_P(SumRowsKernel, SumsARun) {
  const std::vector<std::uint32_t> keys = {3, 1, 3, 0, 3};
  std::vector<GradientPair> gradients;
  std::vector<GradientSums> expected(4, GradientSums{-1, 2});
  std::vector<GradientSums> table = expected;
  GradientSums total;
  for (const std::uint32_t key : keys) {
    gradients.push_back(random_pair());
    add(expected[key], gradients.back());
    add(total, gradients.back());
  }
  EXPECT_EQ(sum_run(gradients, keys.data(), table.data()), total);
  EXPECT_EQ(table, expected);
  EXPECT_EQ(sum_run({}, keys.data(), table.data()), GradientSums{});
}

INSTANTIATE_TEST_SUITE_P(Targets, SumRowsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
