#include "kernels/column_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/targets.h"

namespace greenkgc {
namespace {

class ColumnScoresKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

// Volatile, so that each operation is rounded alone whatever the compiler may do.
float plain_score(RowComparison comparison, const std::vector<float>& query, const std::vector<float>& row,
                  ScoreMap map) {
  volatile float sum = 0;
  for (std::size_t k = 0; k < query.size(); ++k) {
    volatile float term = query[k] - row[k];
    if (comparison == RowComparison::kDot) {
      term = query[k] * row[k];
    } else if (comparison == RowComparison::kManhattan) {
      term = std::abs(term);
    } else {
      term = term * term;
    }
    sum = sum + term;
  }
  if (comparison == RowComparison::kEuclidean) sum = std::sqrt(sum);
  if (comparison != RowComparison::kDot) sum = -sum;
  volatile float scaled = map.scale * sum;
  return map.offset + scaled;
}

TEST_P(ColumnScoresKernel, ScoresAreTheBitsOfAPlainLoop) {
  constexpr std::size_t kRows = 53;
  constexpr std::size_t kStride = 60;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> query(7);
  for (float& x : query) x = normal(random);
  std::vector<float> columns(query.size() * kStride);
  for (float& x : columns) x = normal(random);
  const ScoreMap map{0.3F, -1.7F};
  for (const RowComparison comparison : {RowComparison::kDot, RowComparison::kEuclidean,
                                         RowComparison::kSquaredEuclidean, RowComparison::kManhattan}) {
    std::vector<float> scores(kRows + 1, 99.0F);
    score_columns(comparison, query, {columns.data(), kStride, kRows}, map, scores.data());
    for (std::size_t row = 0; row < kRows; ++row) {
      std::vector<float> own;
      for (std::size_t k = 0; k < query.size(); ++k) own.push_back(columns[k * kStride + row]);
      ASSERT_EQ(scores[row], plain_score(comparison, query, own, map)) << row;
    }
    EXPECT_EQ(scores[kRows], 99.0F);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ColumnScoresKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc
