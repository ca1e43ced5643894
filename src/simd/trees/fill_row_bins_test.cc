#include "simd/trees/fill_row_bins.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class FillRowBinsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(FillRowBinsKernel, AddsEachGradientToTheBinsOfItsRow) {
  constexpr std::size_t kRows = 90;
  constexpr std::size_t kWidth = 5;
  constexpr std::size_t kBins = 6;
  std::mt19937 random(3);
  std::vector<std::uint8_t> bins(kRows * kWidth);
  for (std::uint8_t& bin : bins) bin = static_cast<std::uint8_t>(random() % kBins);
  std::vector<GradientPair> gradients(kRows);
  for (GradientPair& pair : gradients)
    pair = {static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random() >> 1)};
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 1; row < kRows; row += 1 + random() % 3) rows.push_back(row);

  const std::array<std::size_t, kColumnsAtOnce> columns = {4, 0, 2, 2};
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, rows.size()}) {
    std::vector<std::vector<GradientSums>> filled(kColumnsAtOnce, std::vector<GradientSums>(kBins, {5, 6}));
    auto expected = filled;
    std::array<GradientSums*, kColumnsAtOnce> histograms;
    for (std::size_t i = 0; i < kColumnsAtOnce; ++i) {
      histograms[i] = filled[i].data();
      for (std::size_t k = 0; k < count; ++k) {
        const GradientPair& pair = gradients[rows[k]];
        expected[i][bins[rows[k] * kWidth + columns[i]]] += {pair.gradient, pair.hessian};
      }
    }
    fill_row_bins(std::span(rows).first(count), {bins.data(), kWidth}, gradients.data(), columns, histograms);
    EXPECT_EQ(filled, expected) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FillRowBinsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
