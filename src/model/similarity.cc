#include "model/similarity.h"

#include <cmath>

#include "kernels/rows.h"

namespace greenkgc::model {

float similarity_of(Similarity similarity, std::span<const float> query, std::span<const float> candidate) {
  switch (similarity) {
    case Similarity::kDot:
      return dot(query, candidate);
    case Similarity::kSquaredEuclidean:
      return -squared_distance(query, candidate);
    case Similarity::kEuclidean:
      return -std::sqrt(squared_distance(query, candidate));
    case Similarity::kModuli:
      return -manhattan_distance(RowNumbers::kComplex, query, candidate);
    default: {
      float sum = 0;
      for (std::size_t i = 0; i < query.size(); ++i) sum += std::abs(query[i] - candidate[i]);
      return -sum;
    }
  }
}

}  // namespace greenkgc::model
