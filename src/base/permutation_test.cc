#include "base/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace greenkgc {
namespace {

std::vector<std::uint64_t> listed(std::uint64_t n, std::uint64_t seed) {
  const Permutation permutation(n, CounterRandom(seed, 1), 0);
  std::vector<std::uint64_t> list(n);
  for (std::uint64_t i = 0; i < n; ++i) list[i] = permutation(i);
  return list;
}

TEST(Permutation, IsABijection) {
  std::vector<std::uint64_t> sizes(300);
  std::iota(sizes.begin(), sizes.end(), 1);
  for (const std::uint64_t n : {4095, 4096, 4097, 100'000}) sizes.push_back(n);
  for (const std::uint64_t n : sizes) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      std::vector<std::uint64_t> list = listed(n, seed);
      std::sort(list.begin(), list.end());
      for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(list[i], i) << "n " << n << " seed " << seed;
    }
  }
}

TEST(Permutation, SeedsGiveDifferentOrders) {
  EXPECT_EQ(listed(1000, 1), listed(1000, 1));
  EXPECT_NE(listed(1000, 1), listed(1000, 2));
}

// In a random order, 2 d / n of the neighbors are less than d apart, and half of the steps go up.
TEST(Permutation, NeighboursAreUnrelated) {
  constexpr std::int64_t kCount = 100'000;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<std::uint64_t> list = listed(kCount, seed);
    int near = 0;
    int up = 0;
    for (std::size_t i = 1; i < list.size(); ++i) {
      const auto step = static_cast<std::int64_t>(list[i]) - static_cast<std::int64_t>(list[i - 1]);
      near += std::abs(step) < kCount / 100 ? 1 : 0;
      up += step > 0 ? 1 : 0;
    }
    EXPECT_NEAR(near / double{kCount}, 0.02, 0.005) << "seed " << seed;
    EXPECT_NEAR(up / double{kCount}, 0.5, 0.02) << "seed " << seed;
  }
}

}  // namespace
}  // namespace greenkgc
