// Compiled with -ffp-contract=off: a product and a sum must not become one operation where there is one.
#include "kernels/column_scores.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/column_scores.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// For whole vectors of rows, and with vectors of one lane for the rest.
template <RowComparison kComparison, class Floats>
void score_from(Floats d, std::size_t& row, std::span<const float> query, FloatColumns columns, ScoreMap map,
                float* scores) {
  for (const std::size_t lanes = hn::Lanes(d); row + lanes <= columns.rows; row += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < query.size(); ++k) {
      const auto q = hn::Set(d, query[k]);
      const auto c = hn::LoadU(d, columns.data + k * columns.stride + row);
      if constexpr (kComparison == RowComparison::kDot) {
        sum = hn::Add(sum, hn::Mul(q, c));
      } else if constexpr (kComparison == RowComparison::kManhattan) {
        sum = hn::Add(sum, hn::Abs(hn::Sub(q, c)));
      } else {
        const auto difference = hn::Sub(q, c);
        sum = hn::Add(sum, hn::Mul(difference, difference));
      }
    }
    if constexpr (kComparison == RowComparison::kEuclidean) sum = hn::Sqrt(sum);
    if constexpr (kComparison != RowComparison::kDot) sum = hn::Neg(sum);
    hn::StoreU(hn::Add(hn::Set(d, map.offset), hn::Mul(hn::Set(d, map.scale), sum)), d, scores + row);
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

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

HWY_EXPORT(score_columns);

void score_columns(RowComparison comparison, std::span<const float> query, FloatColumns columns, ScoreMap map,
                   float* scores) {
  HWY_DYNAMIC_DISPATCH(score_columns)(comparison, query, columns, map, scores);
}

}  // namespace greenkgc
#endif
