// Compiled with -ffp-contract=off: a product and a sum must not become one operation where there is one.
#include "simd/vector/column_scores.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/column_scores.cc"
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

#include "simd/vector/table_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns that make one term of a score.
template <RowComparison kComparison>
constexpr std::size_t kParts = kComparison == RowComparison::kModuli ? 2 : 1;

template <RowComparison kComparison, class Vector>
Vector term(Vector q, Vector c) {
  if constexpr (kComparison == RowComparison::kDot) return hn::Mul(q, c);
  const Vector difference = hn::Sub(q, c);
  if constexpr (kComparison == RowComparison::kManhattan) return hn::Abs(difference);
  return hn::Mul(difference, difference);  // a part of it, where there are two
}

template <RowComparison kComparison, class Floats, class Vector>
Vector score_of(Floats d, Vector sum, ScoreMap map) {
  if constexpr (kComparison == RowComparison::kEuclidean) sum = hn::Sqrt(sum);
  if constexpr (kComparison != RowComparison::kDot) sum = hn::Neg(sum);
  return hn::Add(hn::Set(d, map.offset), hn::Mul(hn::Set(d, map.scale), sum));
}

// Scores of kVectors vectors of rows for kQueries queries; sums stay in registers.
template <RowComparison kComparison, std::size_t kQueries, std::size_t kVectors, class Floats>
HWY_INLINE void score_tile(Floats d, std::size_t row, const ColumnQuery* queries, FloatColumns columns) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Floats> sums[kQueries][kVectors];
  for (auto& own : sums) std::fill_n(own, kVectors, hn::Zero(d));
  const std::size_t count = queries[0].numbers.size() / kParts<kComparison>;
  const auto values = [&](std::size_t k, std::size_t v) {
    return hn::LoadU(d, columns.data + k * columns.stride + row + v * lanes);
  };
  for (std::size_t k = 0; k < count; ++k) {
    hn::Vec<Floats> rows[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) rows[v] = values(k, v);
    for (std::size_t i = 0; i < kQueries; ++i) {
      const auto q = hn::Set(d, queries[i].numbers[k]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        auto part = term<kComparison>(q, rows[v]);
        if constexpr (kComparison == RowComparison::kModuli) {
          const auto imaginary =
              term<kComparison>(hn::Set(d, queries[i].numbers[count + k]), values(count + k, v));
          part = hn::Sqrt(hn::Add(part, imaginary));
        }
        sums[i][v] = hn::Add(sums[i][v], part);
      }
    }
  }
  for (std::size_t i = 0; i < kQueries; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(score_of<kComparison>(d, sums[i][v], queries[i].map), d,
                 queries[i].scores + row + v * lanes);
  }
}

// Whole tiles of vectors, vectors alone, and vectors of one lane for the rest.
template <RowComparison kComparison, std::size_t kQueries>
void score_rows(const ColumnQuery* queries, FloatColumns columns) {
  constexpr std::size_t kVectors = 8 / kQueries;
  std::size_t row = 0;
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; row + kVectors * lanes <= columns.rows; row += kVectors * lanes)
    score_tile<kComparison, kQueries, kVectors>(d, row, queries, columns);
  for (; row + lanes <= columns.rows; row += lanes)
    score_tile<kComparison, kQueries, 1>(d, row, queries, columns);
  for (; row < columns.rows; ++row)
    score_tile<kComparison, kQueries, 1>(hn::CappedTag<float, 1>{}, row, queries, columns);
}

template <RowComparison kComparison>
void score_all(std::span<const ColumnQuery> queries, FloatColumns columns) {
  constexpr std::size_t kAtOnce = 4;
  std::size_t i = 0;
  for (; i + kAtOnce <= queries.size(); i += kAtOnce)
    score_rows<kComparison, kAtOnce>(queries.data() + i, columns);
  for (; i < queries.size(); ++i) score_rows<kComparison, 1>(queries.data() + i, columns);
}

void score_columns(RowComparison comparison, std::span<const ColumnQuery> queries, FloatColumns columns) {
  switch (comparison) {
    case RowComparison::kDot:
      return score_all<RowComparison::kDot>(queries, columns);
    case RowComparison::kEuclidean:
      return score_all<RowComparison::kEuclidean>(queries, columns);
    case RowComparison::kSquaredEuclidean:
      return score_all<RowComparison::kSquaredEuclidean>(queries, columns);
    case RowComparison::kManhattan:
      return score_all<RowComparison::kManhattan>(queries, columns);
    case RowComparison::kModuli:
      return score_all<RowComparison::kModuli>(queries, columns);
  }
}

// What each level adds to a score, then a look-up for each row.
template <RowComparison kComparison>
void add_binned(float query, std::span<const float> levels, std::span<const std::uint8_t> bins, float* sums) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float terms[256] = {};
  std::copy(levels.begin(), levels.end(), terms);
  for (std::size_t b = 0; b < levels.size(); b += lanes)
    hn::StoreU(term<kComparison>(hn::Set(d, query), hn::LoadU(d, terms + b)), d, terms + b);
  std::size_t row = for_table_values(terms, bins, [&](std::size_t i, auto values) {
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), values), d, sums + i);
  });
  for (; row < bins.size(); ++row) sums[row] += terms[bins[row]];
}

template <RowComparison kComparison>
void finish_all(ScoreMap map, std::span<float> sums) {
  const auto finish = [&](auto d, std::size_t& row) {
    for (const std::size_t lanes = hn::Lanes(d); row + lanes <= sums.size(); row += lanes)
      hn::StoreU(score_of<kComparison>(d, hn::LoadU(d, sums.data() + row), map), d, sums.data() + row);
  };
  std::size_t row = 0;
  finish(hn::ScalableTag<float>{}, row);
  finish(hn::CappedTag<float, 1>{}, row);
}

void add_binned_column(RowComparison comparison, float query, std::span<const float> levels,
                       std::span<const std::uint8_t> bins, float* sums) {
  switch (comparison) {
    case RowComparison::kDot:
      return add_binned<RowComparison::kDot>(query, levels, bins, sums);
    case RowComparison::kManhattan:
      return add_binned<RowComparison::kManhattan>(query, levels, bins, sums);
    case RowComparison::kEuclidean:
    case RowComparison::kSquaredEuclidean:
      return add_binned<RowComparison::kSquaredEuclidean>(query, levels, bins, sums);
    case RowComparison::kModuli:
      break;  // not by single columns
  }
}

void finish_scores(RowComparison comparison, ScoreMap map, std::span<float> sums) {
  switch (comparison) {
    case RowComparison::kDot:
      return finish_all<RowComparison::kDot>(map, sums);
    case RowComparison::kEuclidean:
      return finish_all<RowComparison::kEuclidean>(map, sums);
    case RowComparison::kManhattan:
    case RowComparison::kModuli:
    case RowComparison::kSquaredEuclidean:
      return finish_all<RowComparison::kSquaredEuclidean>(map, sums);
  }
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(score_columns);
HWY_EXPORT(add_binned_column);
HWY_EXPORT(finish_scores);

void score_columns(RowComparison comparison, std::span<const ColumnQuery> queries, FloatColumns columns) {
  HWY_DYNAMIC_DISPATCH(score_columns)(comparison, queries, columns);
}

void add_binned_column(RowComparison comparison, float query, std::span<const float> levels,
                       std::span<const std::uint8_t> bins, float* sums) {
  HWY_DYNAMIC_DISPATCH(add_binned_column)(comparison, query, levels, bins, sums);
}

void finish_scores(RowComparison comparison, ScoreMap map, std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(finish_scores)(comparison, map, sums);
}

}  // namespace greenkgc::simd
#endif
