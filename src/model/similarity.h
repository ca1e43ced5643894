#pragma once

#include <span>

#include "kernels/manhattan.h"
#include "model/kge_model.h"

namespace greenkgc::model {

inline bool is_euclidean(Similarity similarity) {
  return similarity == Similarity::kEuclidean || similarity == Similarity::kSquaredEuclidean;
}
inline bool is_manhattan(Similarity similarity) {
  return similarity == Similarity::kManhattan || similarity == Similarity::kModuli;
}
// What a row holds, for Manhattan distances.
inline RowNumbers row_numbers(Similarity similarity) {
  return similarity == Similarity::kModuli ? RowNumbers::kComplex : RowNumbers::kReal;
}

// The score of a candidate's row for a query vector, in float: by SIMD, so its last bits depend on the
// instruction set.
float similarity_of(Similarity similarity, std::span<const float> query, std::span<const float> candidate);

}  // namespace greenkgc::model
