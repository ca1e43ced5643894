#include "kernels/manhattan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/manhattan.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// Queries and rows of a tile of distances: eight sums in registers, six loads for 24 operations.
constexpr std::size_t kTileQueries = 4;
constexpr std::size_t kTileRows = 2;
// Vectors of columns in a tile of gradients, for kTileQueries queries.
constexpr std::size_t kTileVectors = 2;

template <std::size_t Queries, std::size_t Rows>
HWY_INLINE void distance_tile(RowsView queries, RowsView rows, std::size_t width, float* scores,
                              std::size_t scores_stride) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Vector sums[Queries][Rows];
  for (auto& by_row : sums) {
    for (Vector& sum : by_row) sum = hn::Zero(d);
  }
  std::size_t k = 0;
  for (; k + lanes <= width; k += lanes) {
    for (std::size_t j = 0; j < Rows; ++j) {
      const auto row = hn::LoadU(d, rows.data + j * rows.stride + k);
      for (std::size_t i = 0; i < Queries; ++i) {
        const auto query = hn::LoadU(d, queries.data + i * queries.stride + k);
        sums[i][j] = hn::Add(sums[i][j], hn::AbsDiff(query, row));
      }
    }
  }
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t j = 0; j < Rows; ++j) {
      float sum = hn::GetLane(hn::SumOfLanes(d, sums[i][j]));
      for (std::size_t rest = k; rest < width; ++rest) {
        sum += __builtin_fabsf(queries.data[i * queries.stride + rest] - rows.data[j * rows.stride + rest]);
      }
      scores[i * scores_stride + j] = -sum;
    }
  }
}

template <std::size_t Queries>
HWY_INLINE void distance_band(RowsView queries, RowsView rows, std::size_t width, float* scores,
                              std::size_t scores_stride) {
  std::size_t j = 0;
  for (; j + kTileRows <= rows.count; j += kTileRows) {
    distance_tile<Queries, kTileRows>(queries, {rows.data + j * rows.stride, kTileRows, rows.stride}, width,
                                      scores + j, scores_stride);
  }
  for (; j < rows.count; ++j) {
    distance_tile<Queries, 1>(queries, {rows.data + j * rows.stride, 1, rows.stride}, width, scores + j,
                              scores_stride);
  }
}

void negative_manhattan_distances(RowsView queries, RowsView rows, std::size_t width, float* scores,
                                  std::size_t scores_stride) {
  std::size_t i = 0;
  for (; i + kTileQueries <= queries.count; i += kTileQueries) {
    distance_band<kTileQueries>({queries.data + i * queries.stride, kTileQueries, queries.stride}, rows,
                                width, scores + i * scores_stride, scores_stride);
  }
  for (; i < queries.count; ++i) {
    distance_band<1>({queries.data + i * queries.stride, 1, queries.stride}, rows, width,
                     scores + i * scores_stride, scores_stride);
  }
}

// A strip of columns, whose sums stay in registers while the rows go by.
template <std::size_t Queries, std::size_t Vectors, class D>
HWY_INLINE void gradient_tile(D d, RowsView queries, RowsView rows, WeightsView weights, float* gradients,
                              std::size_t width) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> query[Queries][Vectors];
  hn::Vec<D> sums[Queries][Vectors];
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      query[i][v] = hn::LoadU(d, queries.data + i * queries.stride + v * lanes);
      sums[i][v] = hn::LoadU(d, gradients + i * width + v * lanes);
    }
  }
  const float* weight = weights.data;
  const float* row = rows.data;
  for (std::size_t j = 0; j < rows.count; ++j, row += rows.stride, weight += weights.row_stride) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      const auto values = hn::LoadU(d, row + v * lanes);
      for (std::size_t i = 0; i < Queries; ++i) {
        const auto wide = hn::Set(d, weight[i * weights.query_stride]);
        sums[i][v] = hn::Add(sums[i][v], hn::CopySignToAbs(wide, hn::Sub(values, query[i][v])));
      }
    }
  }
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t v = 0; v < Vectors; ++v) hn::StoreU(sums[i][v], d, gradients + i * width + v * lanes);
  }
}

template <std::size_t Queries>
HWY_INLINE void gradient_band(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                              float* gradients) {
  const Floats d;
  const hn::CappedTag<float, 1> one;
  const std::size_t strip = kTileVectors * hn::Lanes(d);
  const auto from = [](RowsView view, std::size_t column) {
    return RowsView{view.data + column, view.count, view.stride};
  };
  std::size_t k = 0;
  for (; k + strip <= width; k += strip) {
    gradient_tile<Queries, kTileVectors>(d, from(queries, k), from(rows, k), weights, gradients + k, width);
  }
  for (; k + hn::Lanes(d) <= width; k += hn::Lanes(d)) {
    gradient_tile<Queries, 1>(d, from(queries, k), from(rows, k), weights, gradients + k, width);
  }
  for (; k < width; ++k)
    gradient_tile<Queries, 1>(one, from(queries, k), from(rows, k), weights, gradients + k, width);
}

void add_manhattan_gradients(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                             float* gradients) {
  const auto weights_of = [&](std::size_t i) {
    return WeightsView{weights.data + i * weights.query_stride, weights.query_stride, weights.row_stride};
  };
  std::size_t i = 0;
  for (; i + kTileQueries <= queries.count; i += kTileQueries) {
    gradient_band<kTileQueries>({queries.data + i * queries.stride, kTileQueries, queries.stride}, rows,
                                width, weights_of(i), gradients + i * width);
  }
  for (; i < queries.count; ++i) {
    gradient_band<1>({queries.data + i * queries.stride, 1, queries.stride}, rows, width, weights_of(i),
                     gradients + i * width);
  }
}

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

HWY_EXPORT(negative_manhattan_distances);
HWY_EXPORT(add_manhattan_gradients);

float manhattan_distance(std::span<const float> a, std::span<const float> b) {
  float score = 0;
  negative_manhattan_distances({a.data(), 1, a.size()}, {b.data(), 1, b.size()}, a.size(), &score, 1);
  return -score;
}

void negative_manhattan_distances(RowsView queries, RowsView rows, std::size_t width, float* scores,
                                  std::size_t scores_stride) {
  HWY_DYNAMIC_DISPATCH(negative_manhattan_distances)(queries, rows, width, scores, scores_stride);
}

void add_manhattan_gradients(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                             float* gradients) {
  HWY_DYNAMIC_DISPATCH(add_manhattan_gradients)(queries, rows, width, weights, gradients);
}

}  // namespace greenkgc
#endif
