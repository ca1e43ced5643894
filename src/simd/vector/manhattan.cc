#include "simd/vector/manhattan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/manhattan.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// Queries and rows of a tile of distances: eight sums in registers, six loads (or twelve) for eight lengths.
constexpr std::size_t kTileQueries = 4;
constexpr std::size_t kTileRows = 2;

// A number is kParts floats, each `parts_apart` from the next. length() is that of a difference; pull() adds
// the vector of length `weight` that points along it.
struct RealNumbers {
  static constexpr std::size_t kParts = 1;
  static constexpr std::size_t kTileVectors = 2;  // of columns in a tile of gradients

  template <class D, class V>
  static HWY_INLINE V length(D, const V (&difference)[kParts]) {
    return hn::Abs(difference[0]);
  }
  template <class D, class V>
  static HWY_INLINE void pull(D, V weight, const V (&difference)[kParts], V (&sums)[kParts]) {
    sums[0] = hn::Add(sums[0], hn::CopySignToAbs(weight, difference[0]));
  }
};

struct ComplexNumbers {
  static constexpr std::size_t kParts = 2;
  static constexpr std::size_t kTileVectors = 1;  // as many registers as for reals

  template <class V>
  static HWY_INLINE V squared(const V (&difference)[kParts]) {
    return hn::MulAdd(difference[0], difference[0], hn::Mul(difference[1], difference[1]));
  }
  template <class D, class V>
  static HWY_INLINE V length(D, const V (&difference)[kParts]) {
    return hn::Sqrt(squared(difference));
  }
  // 1/length by estimate and one step of Newton: a root and a division would take four times as long.
  template <class D, class V>
  static HWY_INLINE void pull(D d, V weight, const V (&difference)[kParts], V (&sums)[kParts]) {
    const V square = hn::Add(squared(difference), hn::Set(d, 1e-30F));
    const V estimate = hn::ApproximateReciprocalSqrt(square);
    const V half = hn::Mul(hn::Set(d, -0.5F), hn::Mul(square, estimate));
    const V inverse = hn::Mul(estimate, hn::MulAdd(half, estimate, hn::Set(d, 1.5F)));
    const V factor = hn::Mul(weight, inverse);
    for (std::size_t part = 0; part < kParts; ++part)
      sums[part] = hn::MulAdd(factor, difference[part], sums[part]);
  }
};

template <class Numbers, class D>
HWY_INLINE hn::Vec<D> length_at(D d, const float* query, const float* row, std::size_t parts_apart) {
  hn::Vec<D> difference[Numbers::kParts];
  for (std::size_t part = 0; part < Numbers::kParts; ++part)
    difference[part] =
        hn::Sub(hn::LoadU(d, row + part * parts_apart), hn::LoadU(d, query + part * parts_apart));
  return Numbers::length(d, difference);
}

template <class Numbers, std::size_t Queries, std::size_t Rows>
HWY_INLINE void distance_tile(RowsView queries, RowsView rows, std::size_t width, float* scores,
                              std::size_t scores_stride) {
  const Floats d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t count = width / Numbers::kParts;
  hn::Vec<Floats> sums[Queries][Rows];
  for (auto& by_row : sums) {
    for (auto& sum : by_row) sum = hn::Zero(d);
  }
  const auto query = [&](std::size_t i) { return queries.data + i * queries.stride; };
  const auto row = [&](std::size_t j) { return rows.data + j * rows.stride; };
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    for (std::size_t j = 0; j < Rows; ++j) {
      for (std::size_t i = 0; i < Queries; ++i)
        sums[i][j] = hn::Add(sums[i][j], length_at<Numbers>(d, query(i) + k, row(j) + k, count));
    }
  }
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t j = 0; j < Rows; ++j) {
      float sum = hn::GetLane(hn::SumOfLanes(d, sums[i][j]));
      for (std::size_t rest = k; rest < count; ++rest)
        sum += hn::GetLane(length_at<Numbers>(one, query(i) + rest, row(j) + rest, count));
      scores[i * scores_stride + j] = -sum;
    }
  }
}

template <class Numbers, std::size_t Queries>
HWY_INLINE void distance_band(RowsView queries, RowsView rows, std::size_t width, float* scores,
                              std::size_t scores_stride) {
  std::size_t j = 0;
  for (; j + kTileRows <= rows.count; j += kTileRows) {
    distance_tile<Numbers, Queries, kTileRows>(queries, {rows.data + j * rows.stride, kTileRows, rows.stride},
                                               width, scores + j, scores_stride);
  }
  for (; j < rows.count; ++j) {
    distance_tile<Numbers, Queries, 1>(queries, {rows.data + j * rows.stride, 1, rows.stride}, width,
                                       scores + j, scores_stride);
  }
}

template <class Numbers>
HWY_INLINE void distances(RowsView queries, RowsView rows, std::size_t width, float* scores,
                          std::size_t scores_stride) {
  std::size_t i = 0;
  for (; i + kTileQueries <= queries.count; i += kTileQueries) {
    distance_band<Numbers, kTileQueries>({queries.data + i * queries.stride, kTileQueries, queries.stride},
                                         rows, width, scores + i * scores_stride, scores_stride);
  }
  for (; i < queries.count; ++i) {
    distance_band<Numbers, 1>({queries.data + i * queries.stride, 1, queries.stride}, rows, width,
                              scores + i * scores_stride, scores_stride);
  }
}

void negative_manhattan_distances(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                                  float* scores, std::size_t scores_stride) {
  if (numbers == RowNumbers::kReal)
    distances<RealNumbers>(queries, rows, width, scores, scores_stride);
  else
    distances<ComplexNumbers>(queries, rows, width, scores, scores_stride);
}

// A strip of columns, whose sums stay in registers while the rows go by.
template <class Numbers, std::size_t Queries, std::size_t Vectors, class D>
HWY_INLINE void gradient_tile(D d, RowsView queries, RowsView rows, WeightsView weights, float* gradients,
                              std::size_t width) {
  constexpr std::size_t kParts = Numbers::kParts;
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t parts_apart = width / kParts;
  V query[Queries][Vectors][kParts];
  V sums[Queries][Vectors][kParts];
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t column = v * lanes + part * parts_apart;
        query[i][v][part] = hn::LoadU(d, queries.data + i * queries.stride + column);
        sums[i][v][part] = hn::LoadU(d, gradients + i * width + column);
      }
    }
  }
  const float* weight = weights.data;
  const float* row = rows.data;
  for (std::size_t j = 0; j < rows.count; ++j, row += rows.stride, weight += weights.row_stride) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      V values[kParts];
      for (std::size_t part = 0; part < kParts; ++part)
        values[part] = hn::LoadU(d, row + v * lanes + part * parts_apart);
      for (std::size_t i = 0; i < Queries; ++i) {
        V difference[kParts];
        for (std::size_t part = 0; part < kParts; ++part)
          difference[part] = hn::Sub(values[part], query[i][v][part]);
        Numbers::pull(d, hn::Set(d, weight[i * weights.query_stride]), difference, sums[i][v]);
      }
    }
  }
  for (std::size_t i = 0; i < Queries; ++i) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      for (std::size_t part = 0; part < kParts; ++part)
        hn::StoreU(sums[i][v][part], d, gradients + i * width + v * lanes + part * parts_apart);
    }
  }
}

template <class Numbers, std::size_t Queries>
HWY_INLINE void gradient_band(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                              float* gradients) {
  constexpr std::size_t kVectors = Numbers::kTileVectors;
  const Floats d;
  const One one;
  const std::size_t count = width / Numbers::kParts;
  const std::size_t strip = kVectors * hn::Lanes(d);
  const auto from = [](RowsView view, std::size_t column) {
    return RowsView{view.data + column, view.count, view.stride};
  };
  std::size_t k = 0;
  for (; k + strip <= count; k += strip)
    gradient_tile<Numbers, Queries, kVectors>(d, from(queries, k), from(rows, k), weights, gradients + k,
                                              width);
  for (; k + hn::Lanes(d) <= count; k += hn::Lanes(d))
    gradient_tile<Numbers, Queries, 1>(d, from(queries, k), from(rows, k), weights, gradients + k, width);
  for (; k < count; ++k)
    gradient_tile<Numbers, Queries, 1>(one, from(queries, k), from(rows, k), weights, gradients + k, width);
}

template <class Numbers>
HWY_INLINE void add_gradients(RowsView queries, RowsView rows, std::size_t width, WeightsView weights,
                              float* gradients) {
  const auto weights_of = [&](std::size_t i) {
    return WeightsView{weights.data + i * weights.query_stride, weights.query_stride, weights.row_stride};
  };
  std::size_t i = 0;
  for (; i + kTileQueries <= queries.count; i += kTileQueries) {
    gradient_band<Numbers, kTileQueries>({queries.data + i * queries.stride, kTileQueries, queries.stride},
                                         rows, width, weights_of(i), gradients + i * width);
  }
  for (; i < queries.count; ++i) {
    gradient_band<Numbers, 1>({queries.data + i * queries.stride, 1, queries.stride}, rows, width,
                              weights_of(i), gradients + i * width);
  }
}

void add_manhattan_gradients(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                             WeightsView weights, float* gradients) {
  if (numbers == RowNumbers::kReal)
    add_gradients<RealNumbers>(queries, rows, width, weights, gradients);
  else
    add_gradients<ComplexNumbers>(queries, rows, width, weights, gradients);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(negative_manhattan_distances);
HWY_EXPORT(add_manhattan_gradients);

float manhattan_distance(RowNumbers numbers, std::span<const float> a, std::span<const float> b) {
  float score = 0;
  negative_manhattan_distances(numbers, {a.data(), 1, a.size()}, {b.data(), 1, b.size()}, a.size(), &score,
                               1);
  return -score;
}

void negative_manhattan_distances(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                                  float* scores, std::size_t scores_stride) {
  HWY_DYNAMIC_DISPATCH(negative_manhattan_distances)(numbers, queries, rows, width, scores, scores_stride);
}

void add_manhattan_gradients(RowNumbers numbers, RowsView queries, RowsView rows, std::size_t width,
                             WeightsView weights, float* gradients) {
  HWY_DYNAMIC_DISPATCH(add_manhattan_gradients)(numbers, queries, rows, width, weights, gradients);
}

}  // namespace greenkgc::simd
#endif
