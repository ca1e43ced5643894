#pragma once

#include <cstddef>
#include <span>

namespace greenkgc {

// Manhattan distances of many rows to many rows, and their gradients: no matrix product can give these, so
// they are tiled like one, to be bound by arithmetic (three operations per pair of numbers) instead of loads.

struct RowsView {
  const float* data;
  std::size_t count;
  std::size_t stride;  // in floats
};

float manhattan_distance(std::span<const float> a, std::span<const float> b);

// scores[i * scores_stride + j] = -|query i - row j|_1, over `width` numbers.
void negative_manhattan_distances(RowsView queries, RowsView rows, std::size_t width, float* scores,
                                  std::size_t scores_stride);

// Where the weight of query i and row j lies; weights are not negative.
struct WeightsView {
  const float* data;
  std::size_t query_stride;
  std::size_t row_stride;
};
// Adds sum_j weight(i, j) * sign(row_j - query_i) to row i of `gradients`, whose rows are `width` long.
void add_manhattan_gradients(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                             float* gradients);

}  // namespace greenkgc
