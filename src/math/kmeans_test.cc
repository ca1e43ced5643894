#include "math/kmeans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "greenkgc/error.h"

namespace greenkgc::math {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(KMeans, FindsWhatIsApartAndNumbersByFirstPoint) {
  const std::vector<float> points = {5, 5, 0, 0, 5, 6, 0, 1, -9, 0, 6, 5};
  const Clustering clustering = kmeans(points, 2, {.clusters = 3}, Context{});
  EXPECT_THAT(clustering.cluster_of, ElementsAre(0, 1, 0, 1, 2, 0));
  // By hand: (5,5) (5,6) (6,5) are 4/3 from their mean in all, (0,0) (0,1) one half, the last one nothing.
  EXPECT_NEAR(clustering.inertia, 4.0 / 3 + 0.5, 1e-5);
}

// The best of all assignments, by trying each.
TEST(KMeans, ReachesTheOptimumOfSmallCases) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<float> points(8);
    for (float& x : points) x = normal(random);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned mask = 1; mask < 255; ++mask) {
      double inertia = 0;
      for (const unsigned side : {0U, 1U}) {
        double sum = 0;
        double squares = 0;
        double n = 0;
        for (unsigned i = 0; i < 8; ++i) {
          if (((mask >> i) & 1U) != side) continue;
          sum += points[i];
          squares += points[i] * points[i];
          n += 1;
        }
        inertia += squares - sum * sum / n;
      }
      least = std::min(least, inertia);
    }
    EXPECT_NEAR(kmeans(points, 1, {.clusters = 2, .restarts = 30}, Context{}).inertia, least, 1e-4);
  }
}

TEST(KMeans, NoClusterIsEmptyEvenWhenPointsAreEqual) {
  const std::vector<float> points(12, 1.0F);
  const Clustering clustering = kmeans(points, 2, {.clusters = 6}, Context{});
  EXPECT_EQ(std::set(clustering.cluster_of.begin(), clustering.cluster_of.end()).size(), 6U);
  EXPECT_THAT(kmeans(points, 2, {.clusters = 1}, Context{}).cluster_of, testing::Each(0));
}

TEST(KMeans, SameForAnyNumberOfThreads) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> points(200 * 10);
  for (float& x : points) x = normal(random);
  const auto one = kmeans(points, 10, {.clusters = 7}, Context{.threads = 1});
  const auto three = kmeans(points, 10, {.clusters = 7}, Context{.threads = 3});
  EXPECT_EQ(one.cluster_of, three.cluster_of);
  EXPECT_EQ(one.inertia, three.inertia);
}

TEST(KMeans, MoreClustersThanPointsAreRefused) {
  const std::vector<float> points(3);
  try {
    kmeans(points, 1, {.clusters = 4}, Context{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("4 relation groups requested, but there are only 3 relations"));
  }
}

}  // namespace
}  // namespace greenkgc::math
