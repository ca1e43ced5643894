#pragma once

#include <cstddef>
#include <span>

namespace greenkgc::simd {

// Manhattan distances of many rows to many rows, and their gradients: no matrix product can give these, so
// they are tiled like one, to be bound by arithmetic instead of loads.

// What a row holds: real numbers, or complex ones, all real parts before all imaginary parts. The distance of
// complex rows is the sum of the moduli of their differences.
enum class RowNumbers { kReal, kComplex };

struct RowsView {
  const float* data;
  std::size_t count;
  std::size_t stride;  // in floats
};

float manhattan_distance(RowNumbers numbers, std::span<const float> a, std::span<const float> b);

// scores[i * scores_stride + j] = -|query i - row j|_1, over `width` floats.
void negative_manhattan_distances(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                                  float* scores, std::size_t scores_stride);

// Where the weight of query i and row j lies; weights are not negative.
struct WeightsView {
  const float* data;
  std::size_t query_stride;
  std::size_t row_stride;
};
// Adds sum_j weight(i, j) * u(row_j - query_i) to row i of `gradients`, whose rows are `width` long; u makes
// each number of a row one of length 1 (real ones: its sign). Of equal complex numbers u is 0.
void add_manhattan_gradients(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                             WeightsView weights, float* gradients);

}  // namespace greenkgc::simd
