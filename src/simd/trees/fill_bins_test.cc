#include "simd/trees/fill_bins.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class FillBinsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(FillBinsKernel, AddsEachEntryToTheBinOfItsId) {
  constexpr std::size_t kIds = 50;
  constexpr std::size_t kBins = 7;
  std::mt19937 random(5);
  const auto below = [&random](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (const std::size_t width : {1U, 2U}) {
    std::vector<std::vector<std::uint8_t>> bins(kColumnsAtOnce, std::vector<std::uint8_t>(kIds));
    for (auto& column : bins) {
      for (std::uint8_t& bin : column) bin = static_cast<std::uint8_t>(below(kBins));
    }
    std::vector<std::uint32_t> ids(80);
    for (std::uint32_t& id : ids) id = below(kIds);
    std::vector<GradientSums> sums(ids.size() * width);
    for (GradientSums& sum : sums) sum = {static_cast<std::int64_t>(random()) - (1LL << 31), 1 + below(1000)};

    std::vector<std::vector<GradientSums>> expected(kColumnsAtOnce,
                                                    std::vector<GradientSums>(kBins * width, {3, 4}));
    auto filled = expected;
    std::array<const std::uint8_t*, kColumnsAtOnce> columns;
    std::array<GradientSums*, kColumnsAtOnce> histograms;
    for (std::size_t c = 0; c < kColumnsAtOnce; ++c) {
      columns[c] = bins[c].data();
      histograms[c] = filled[c].data();
    }
    for (std::size_t c = 0; c < kColumnsAtOnce; ++c) {
      for (std::size_t e = 0; e < ids.size(); ++e) {
        for (std::size_t i = 0; i < width; ++i)
          expected[c][bins[c][ids[e]] * width + i] += sums[e * width + i];
      }
    }
    fill_bins({ids, sums.data(), width}, columns, histograms);
    EXPECT_EQ(filled, expected) << width;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FillBinsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
