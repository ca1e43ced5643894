#pragma once

#include <span>

#include "model/kge_model.h"

namespace greenkgc::model {

// The score of a candidate's row for a query vector, in float: by SIMD, so its last bits depend on the
// instruction set.
float similarity_of(Similarity similarity, std::span<const float> query, std::span<const float> candidate);

}  // namespace greenkgc::model
