#pragma once

#include <span>

#include "kge/kge_model.h"
#include "simd/vector/manhattan.h"

namespace greenkgc::kge {

inline bool is_euclidean(Similarity similarity) {
  return similarity == Similarity::kEuclidean || similarity == Similarity::kSquaredEuclidean;
}
inline bool is_manhattan(Similarity similarity) {
  return similarity == Similarity::kManhattan || similarity == Similarity::kModuli;
}
// What a row holds, for Manhattan distances.
inline simd::RowNumbers row_numbers(Similarity similarity) {
  return similarity == Similarity::kModuli ? simd::RowNumbers::kComplex : simd::RowNumbers::kReal;
}

// The score of a candidate's row for a query vector, in float: by SIMD, so its last bits depend on the
// instruction set.
float similarity_of(Similarity similarity, std::span<const float> query, std::span<const float> candidate);

}  // namespace greenkgc::kge
