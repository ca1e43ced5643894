#include "math/sorted_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc::math {
namespace {

template <class Key>
std::vector<Key> sort(const std::vector<Key>& keys, int threads) {
  Context context;
  context.threads = threads;
  const KeyArray<Key> sorted =
      sorted_keys<Key>(context, keys.size(), [&keys](std::size_t begin, std::size_t end, Key* out) {
        for (std::size_t i = begin; i < end; ++i) *out++ = keys[i];
      });
  return {sorted.keys().begin(), sorted.keys().end()};
}

// Plain EXPECT_EQ would print a million keys.
template <class Key>
void expect_sorted(std::vector<Key> keys) {
  const std::vector<Key> one = sort(keys, 1);
  const std::vector<Key> five = sort(keys, 5);
  std::sort(keys.begin(), keys.end());
  EXPECT_TRUE(one == keys);
  EXPECT_TRUE(five == keys);
}

template <class Key>
std::vector<Key> random_keys(std::size_t n) {
  const CounterRandom random(1, 1);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = random.bits(2 * i);
    if (sizeof(Key) > 8) keys[i] |= static_cast<Key>(WideKey{random.bits(2 * i + 1)} << 64);
  }
  return keys;
}

TEST(SortedKeys, SizesAroundBucketsAndBlocks) {
  for (const std::size_t n : {0, 1, 2, 255, 256, 257, 511, 512, 513, 32'767, 32'768, 65'537, 300'001}) {
    SCOPED_TRACE(n);
    expect_sorted(random_keys<std::uint64_t>(n));
    expect_sorted(random_keys<WideKey>(n));
  }
}

TEST(SortedKeys, AnyDistribution) {
  constexpr std::size_t kKeys = 200'000;
  const std::vector<std::uint64_t> random = random_keys<std::uint64_t>(kKeys);
  std::vector<std::uint64_t> ascending(kKeys);
  std::vector<std::uint64_t> descending(kKeys);
  std::vector<std::uint64_t> few(kKeys);
  std::vector<std::uint64_t> mostly_one(kKeys);
  std::vector<std::uint64_t> clustered(kKeys);
  for (std::size_t i = 0; i < kKeys; ++i) {
    ascending[i] = i;
    descending[i] = ~std::uint64_t{i};
    few[i] = random[i] % 3 << 60;
    mostly_one[i] = random[i] % 10 == 0 ? random[i] : 77;
    clustered[i] = random[i] % 10 == 0 ? random[i] : (std::uint64_t{5} << 50) + random[i] % 1'000'000;
  }
  expect_sorted(ascending);
  expect_sorted(descending);
  expect_sorted(few);
  expect_sorted(mostly_one);
  expect_sorted(clustered);
  expect_sorted(std::vector<std::uint64_t>(kKeys, 0));
  expect_sorted(std::vector<std::uint64_t>(kKeys, ~std::uint64_t{0}));
}

TEST(SortedKeys, WideKeysAreComparedInBothHalves) {
  std::vector<WideKey> keys;
  for (unsigned i = 0; i < 1000; ++i) {
    keys.push_back(WideKey{i % 10} << 100 | i / 10);
    keys.push_back(WideKey{i / 10} << 3 | WideKey{i % 2} << 64);
  }
  expect_sorted(keys);
}

TEST(SortedKeys, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  try {
    sorted_keys<std::uint64_t>(context, 10, [](std::size_t begin, std::size_t end, std::uint64_t* out) {
      std::fill(out, out + (end - begin), 0);
    });
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

TEST(SortedKeys, ExceptionOfTheSequenceReachesTheCaller) {
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    EXPECT_THROW(sorted_keys<std::uint64_t>(context, 200'000,
                                            [](std::size_t begin, std::size_t end, std::uint64_t* out) {
                                              if (end - begin > 1) throw std::runtime_error("no more keys");
                                              *out = begin;
                                            }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace greenkgc::math
