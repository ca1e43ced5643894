#pragma once

#include <cstddef>
#include <span>

namespace greenkgc {

// How a query is compared with a row, number by number.
enum class RowComparison { kDot, kEuclidean, kSquaredEuclidean, kManhattan };

// Rows of floats, column by column.
struct FloatColumns {
  const float* data;
  std::size_t stride;  // from column to column
  std::size_t rows;
};

// scores[row] = offset + scale * s, where s is the dot product of the query and the row, or their distance
// with a minus. One number of the query per column. Each operation is rounded alone and columns are added in
// order, so that a score is the same bits on every instruction set, whatever rows stand beside it: what
// gemm cannot promise.
struct ScoreMap {
  float offset;
  float scale;
};
void score_columns(RowComparison comparison, std::span<const float> query, FloatColumns columns, ScoreMap map,
                   float* scores);

}  // namespace greenkgc
