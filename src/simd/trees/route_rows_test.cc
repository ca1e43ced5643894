#include "simd/trees/route_rows.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

class RouteRowsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

constexpr std::uint32_t kKeys = 37;

bool goes_right(std::uint32_t key, std::uint32_t slot) {
  return (key * 7 + slot * 5) % 11 < 4;
}

// Bit by bit, as the header says.
std::vector<std::uint32_t> ways_of_all_keys(std::size_t slot_bits) {
  std::vector<std::uint32_t> words(((kKeys << slot_bits) + 31) / 32);
  for (std::uint32_t key = 0; key < kKeys; ++key) {
    for (std::uint32_t slot = 0; slot < 1U << slot_bits; ++slot) {
      const std::uint32_t bit = (key << slot_bits) + slot;
      if (goes_right(key, slot)) words[bit / 32] |= 1U << (bit % 32);
    }
  }
  return words;
}

std::vector<std::uint32_t> rows_in(const std::vector<std::uint8_t>& slots, std::uint64_t set) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < slots.size(); ++row) {
    if (slots[row] < 64 && (set >> slots[row] & 1) != 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

TEST_P(RouteRowsKernel, MovesRowsAsThePlainRulesDo) {
  std::mt19937_64 random(1);
  for (std::size_t slot_bits = 3; slot_bits <= RowRoutes::kMostSlotBits; ++slot_bits) {
    const std::vector<std::uint32_t> words = ways_of_all_keys(slot_bits);
    const std::uint64_t chosen = slot_bits == RowRoutes::kMostSlotBits ? 0 : random();
    for (const std::size_t n : {0U, 1U, 5U, 16U, 33U, 1000U}) {
      std::vector<std::uint32_t> keys(n);
      std::vector<std::uint32_t> low(n);
      std::vector<std::uint32_t> high(n);
      std::vector<std::uint8_t> slots(n);
      std::vector<std::uint8_t> expected(n);
      for (std::size_t row = 0; row < n; ++row) {
        keys[row] = static_cast<std::uint32_t>(random() % kKeys);
        const std::uint64_t rest = random() & random();
        low[row] = static_cast<std::uint32_t>(rest);
        high[row] = static_cast<std::uint32_t>(rest >> 32);
        slots[row] = static_cast<std::uint8_t>(random() % (1U << slot_bits));
        const bool right = goes_right(keys[row], slots[row]) || (rest >> slots[row] & 1) != 0;
        expected[row] = static_cast<std::uint8_t>(2 * slots[row] + (right ? 1 : 0));
      }
      std::vector<std::uint32_t> rows(n + kRouteRoom);
      rows.resize(
          route_rows({slot_bits, words}, {keys.data(), low.data(), high.data()}, slots, chosen, rows.data()));
      EXPECT_EQ(slots, expected) << slot_bits << " bits, " << n << " rows";
      EXPECT_EQ(rows, rows_in(expected, chosen)) << slot_bits << " bits, " << n << " rows";
    }
  }
}

TEST_P(RouteRowsKernel, ChoosesRowsBySlot) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {0U, 1U, 15U, 64U, 1000U}) {
    std::vector<std::uint8_t> slots(n);
    for (std::uint8_t& slot : slots) slot = static_cast<std::uint8_t>(random() % 64);
    for (const std::uint64_t chosen : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{random()}}) {
      std::vector<std::uint32_t> rows(n + kRouteRoom);
      rows.resize(choose_rows(slots, chosen, rows.data()));
      EXPECT_EQ(rows, rows_in(slots, chosen)) << n << " rows";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RouteRowsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
