// Compiled with -ffp-contract=off: a product and a sum must not become one operation where there is one.
#include "kernels/column_scores.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/column_scores.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <RowComparison kComparison, class Vector>
Vector term(Vector q, Vector c) {
  if constexpr (kComparison == RowComparison::kDot) return hn::Mul(q, c);
  const Vector difference = hn::Sub(q, c);
  if constexpr (kComparison == RowComparison::kManhattan) return hn::Abs(difference);
  return hn::Mul(difference, difference);
}

template <RowComparison kComparison, class Floats, class Vector>
Vector score_of(Floats d, Vector sum, ScoreMap map) {
  if constexpr (kComparison == RowComparison::kEuclidean) sum = hn::Sqrt(sum);
  if constexpr (kComparison != RowComparison::kDot) sum = hn::Neg(sum);
  return hn::Add(hn::Set(d, map.offset), hn::Mul(hn::Set(d, map.scale), sum));
}

// For whole vectors of rows, and with vectors of one lane for the rest.
template <RowComparison kComparison, class Floats>
void score_from(Floats d, std::size_t& row, std::span<const float> query, FloatColumns columns, ScoreMap map,
                float* scores) {
  for (const std::size_t lanes = hn::Lanes(d); row + lanes <= columns.rows; row += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < query.size(); ++k) {
      const auto q = hn::Set(d, query[k]);
      const auto c = hn::LoadU(d, columns.data + k * columns.stride + row);
      sum = hn::Add(sum, term<kComparison>(q, c));
    }
    hn::StoreU(score_of<kComparison>(d, sum, map), d, scores + row);
  }
}

template <RowComparison kComparison>
void score_all(std::span<const float> query, FloatColumns columns, ScoreMap map, float* scores) {
  std::size_t row = 0;
  score_from<kComparison>(hn::ScalableTag<float>{}, row, query, columns, map, scores);
  score_from<kComparison>(hn::CappedTag<float, 1>{}, row, query, columns, map, scores);
}

void score_columns(RowComparison comparison, std::span<const float> query, FloatColumns columns, ScoreMap map,
                   float* scores) {
  switch (comparison) {
    case RowComparison::kDot:
      return score_all<RowComparison::kDot>(query, columns, map, scores);
    case RowComparison::kEuclidean:
      return score_all<RowComparison::kEuclidean>(query, columns, map, scores);
    case RowComparison::kSquaredEuclidean:
      return score_all<RowComparison::kSquaredEuclidean>(query, columns, map, scores);
    case RowComparison::kManhattan:
      return score_all<RowComparison::kManhattan>(query, columns, map, scores);
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
  const hn::Rebind<std::int32_t, decltype(d)> wide;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  std::size_t row = 0;
  for (; row + lanes <= bins.size(); row += lanes) {
    const auto at = hn::PromoteTo(wide, hn::LoadU(narrow, bins.data() + row));
    hn::StoreU(hn::Add(hn::LoadU(d, sums + row), hn::GatherIndex(d, terms, at)), d, sums + row);
  }
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
  }
}

void finish_scores(RowComparison comparison, ScoreMap map, std::span<float> sums) {
  switch (comparison) {
    case RowComparison::kDot:
      return finish_all<RowComparison::kDot>(map, sums);
    case RowComparison::kEuclidean:
      return finish_all<RowComparison::kEuclidean>(map, sums);
    case RowComparison::kManhattan:
    case RowComparison::kSquaredEuclidean:
      return finish_all<RowComparison::kSquaredEuclidean>(map, sums);
  }
}

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

HWY_EXPORT(score_columns);
HWY_EXPORT(add_binned_column);
HWY_EXPORT(finish_scores);

void score_columns(RowComparison comparison, std::span<const float> query, FloatColumns columns, ScoreMap map,
                   float* scores) {
  HWY_DYNAMIC_DISPATCH(score_columns)(comparison, query, columns, map, scores);
}

void add_binned_column(RowComparison comparison, float query, std::span<const float> levels,
                       std::span<const std::uint8_t> bins, float* sums) {
  HWY_DYNAMIC_DISPATCH(add_binned_column)(comparison, query, levels, bins, sums);
}

void finish_scores(RowComparison comparison, ScoreMap map, std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(finish_scores)(comparison, map, sums);
}

}  // namespace greenkgc
#endif
