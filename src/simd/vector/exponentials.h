#pragma once

#include <span>

namespace greenkgc::simd {

// results[i] = exp(values[i] - shift), by SIMD; the relative error is about that of float. Elementwise: how
// values are cut into calls does not matter. Both spans have the same length.
void shifted_exponentials(std::span<const float> values, float shift, std::span<float> results);

}  // namespace greenkgc::simd
