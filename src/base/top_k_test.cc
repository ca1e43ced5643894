#include "base/top_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace greenkgc {
namespace {

using Pair = std::pair<int, int>;
using Largest = TopK<Pair, std::greater<>>;

// Few distinct first numbers, so that the second ones decide.
std::vector<Pair> random_pairs(std::size_t count) {
  std::mt19937 random(3);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i)
    pairs.push_back({static_cast<int>(random() % 20), static_cast<int>(i * 7919 % 10007)});
  return pairs;
}

std::vector<Pair> first_of_full_sort(std::vector<Pair> pairs, std::size_t k) {
  std::sort(pairs.begin(), pairs.end(), std::greater<>());
  pairs.resize(std::min(k, pairs.size()));
  return pairs;
}

TEST(TopK, IsTheBeginOfAFullSort) {
  for (const std::size_t count : {0U, 1U, 50U, 3000U}) {
    const auto pairs = random_pairs(count);
    for (const std::size_t k : {0U, 1U, 2U, 31U, 33U, 100U, 5000U}) {
      Largest best(k);
      for (const Pair& pair : pairs) best.add(pair);
      EXPECT_EQ(std::move(best).sorted(), first_of_full_sort(pairs, k)) << count << ", k " << k;
    }
  }
}

TEST(TopK, OrderAndPartsDoNotMatter) {
  auto pairs = random_pairs(3000);
  const auto expected = first_of_full_sort(pairs, 40);
  std::sort(pairs.begin(), pairs.end());  // the best come last
  Largest all(40);
  for (std::size_t begin = 0; begin < pairs.size(); begin += 700) {
    Largest part(40);
    for (std::size_t i = begin; i < std::min(begin + 700, pairs.size()); ++i) part.add(pairs[i]);
    all.merge(part);
  }
  EXPECT_EQ(all.sorted(), expected);
}

TEST(TopK, ThresholdIsNeverAboveTheKthBest) {
  const auto pairs = random_pairs(2000);
  Largest best(10);
  EXPECT_EQ(best.threshold(), nullptr);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    best.add(pairs[i]);
    if (best.threshold() == nullptr) continue;
    EXPECT_LE(*best.threshold(), first_of_full_sort({pairs.begin(), pairs.begin() + i + 1}, 10).back());
  }
  EXPECT_NE(best.threshold(), nullptr);
}

TEST(TopK, TakesMoreAfterItWasSorted) {
  Largest best(2);
  for (const int i : {5, 1, 4}) best.add({i, 0});
  EXPECT_THAT(best.sorted(), testing::ElementsAre(Pair{5, 0}, Pair{4, 0}));
  best.add({6, 0});
  best.add({2, 0});
  EXPECT_THAT(best.sorted(), testing::ElementsAre(Pair{6, 0}, Pair{5, 0}));
  best.clear();
  EXPECT_EQ(best.threshold(), nullptr);
  best.add({1, 1});
  EXPECT_THAT(best.sorted(), testing::ElementsAre(Pair{1, 1}));
}

}  // namespace
}  // namespace greenkgc
