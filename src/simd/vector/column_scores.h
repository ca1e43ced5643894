#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace greenkgc::simd {

// How a query is compared with a row, number by number. kModuli: numbers are complex, all real parts before
// all imaginary ones.
enum class RowComparison { kDot, kEuclidean, kSquaredEuclidean, kManhattan, kModuli };

// Rows of floats, column by column.
struct FloatColumns {
  const float* data;
  std::size_t stride;  // from column to column
  std::size_t rows;
};

struct ScoreMap {
  float offset;
  float scale;
};

// One number per column, and where the scores of all rows go.
struct ColumnQuery {
  std::span<const float> numbers;
  ScoreMap map;
  float* scores;
};

// scores[row] = offset + scale * s, where s is the dot product of the query and the row, or their distance
// with a minus. Each operation is rounded alone and columns are added in order, so that a score is the same
// bits on every instruction set, whatever rows and queries stand beside it: what gemm cannot promise. All
// queries have as many numbers as there are columns. Fastest where columns are no power of two apart.
void score_columns(RowComparison comparison, std::span<const ColumnQuery> queries, FloatColumns columns);

// The same for rows that are bins with at most 256 levels each, column after column, for a single query: the
// first column comes with sums of 0, `finish_scores` makes the scores of them. The same bits as of the levels
// themselves; for several queries it is cheaper to look those up once. Not for kModuli, whose terms need two
// columns each.
void add_binned_column(RowComparison comparison, float query, std::span<const float> levels,
                       std::span<const std::uint8_t> bins, float* sums);
void finish_scores(RowComparison comparison, ScoreMap map, std::span<float> sums);

}  // namespace greenkgc::simd
