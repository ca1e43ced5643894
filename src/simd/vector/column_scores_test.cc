#include "simd/vector/column_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
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
  const std::size_t dims = query.size() / 2;
  for (std::size_t k = 0; k < (comparison == RowComparison::kModuli ? dims : query.size()); ++k) {
    volatile float term = query[k] - row[k];
    if (comparison == RowComparison::kDot) {
      term = query[k] * row[k];
    } else if (comparison == RowComparison::kManhattan) {
      term = std::abs(term);
    } else if (comparison == RowComparison::kModuli) {
      volatile float imaginary = query[dims + k] - row[dims + k];
      imaginary = imaginary * imaginary;
      term = term * term;
      term = std::sqrt(term + imaginary);
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
  constexpr std::size_t kStride = 160;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> numbers(7, std::vector<float>(10));  // by query
  for (auto& query : numbers) {
    for (float& x : query) x = normal(random);
  }
  std::vector<float> columns(10 * kStride);
  for (float& x : columns) x = normal(random);
  for (const RowComparison comparison :
       {RowComparison::kDot, RowComparison::kEuclidean, RowComparison::kSquaredEuclidean,
        RowComparison::kManhattan, RowComparison::kModuli}) {
    for (const std::size_t rows : {1U, 53U, 159U}) {
      std::vector<std::vector<float>> scores(numbers.size(), std::vector<float>(rows + 1, 99.0F));
      std::vector<ColumnQuery> queries;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        queries.push_back({numbers[i], {0.3F * static_cast<float>(i), -1.7F}, scores[i].data()});
      score_columns(comparison, queries, {columns.data(), kStride, rows});
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t row = 0; row < rows; ++row) {
          std::vector<float> own;
          for (std::size_t k = 0; k < numbers[i].size(); ++k) own.push_back(columns[k * kStride + row]);
          ASSERT_EQ(scores[i][row], plain_score(comparison, numbers[i], own, queries[i].map))
              << i << " " << row;
        }
        EXPECT_EQ(scores[i][rows], 99.0F);
      }
    }
  }
}

TEST_P(ColumnScoresKernel, BinnedColumnsGiveTheSameBits) {
  constexpr std::size_t kRows = 153;
  constexpr std::size_t kColumns = 6;
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> query(kColumns);
  for (float& x : query) x = normal(random);
  std::vector<std::vector<float>> levels(kColumns);
  std::vector<std::vector<std::uint8_t>> bins(kColumns, std::vector<std::uint8_t>(kRows));
  std::vector<float> columns(kColumns * kRows);
  for (std::size_t k = 0; k < kColumns; ++k) {
    levels[k].resize(k == 0 ? 256 : 50 * k + 1);
    for (float& x : levels[k]) x = normal(random);
    for (std::size_t row = 0; row < kRows; ++row) {
      bins[k][row] = static_cast<std::uint8_t>(random() % levels[k].size());
      columns[k * kRows + row] = levels[k][bins[k][row]];
    }
  }
  const ScoreMap map{0.3F, -1.7F};
  for (const RowComparison comparison : {RowComparison::kDot, RowComparison::kEuclidean,
                                         RowComparison::kSquaredEuclidean, RowComparison::kManhattan}) {
    std::vector<float> expected(kRows);
    score_columns(comparison, std::vector<ColumnQuery>{{query, map, expected.data()}},
                  {columns.data(), kRows, kRows});
    std::vector<float> sums(kRows);
    for (std::size_t k = 0; k < kColumns; ++k)
      add_binned_column(comparison, query[k], levels[k], bins[k], sums.data());
    finish_scores(comparison, map, sums);
    EXPECT_EQ(sums, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ColumnScoresKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
