#include "kge/similarity.h"

#include <cmath>

#include "simd/vector/rows.h"

namespace greenkgc::kge {

float similarity_of(Similarity similarity, std::span<const float> query, std::span<const float> candidate) {
  switch (similarity) {
    case Similarity::kDot:
      return simd::dot(query, candidate);
    case Similarity::kSquaredEuclidean:
      return -simd::squared_distance(query, candidate);
    case Similarity::kEuclidean:
      return -std::sqrt(simd::squared_distance(query, candidate));
    case Similarity::kModuli:
      return -simd::manhattan_distance(simd::RowNumbers::kComplex, query, candidate);
    default: {
      float sum = 0;
      for (std::size_t i = 0; i < query.size(); ++i) sum += std::abs(query[i] - candidate[i]);
      return -sum;
    }
  }
}

}  // namespace greenkgc::kge
