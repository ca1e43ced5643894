#pragma once

#include <cstdint>
#include <span>

namespace greenkgc::simd {

// out[i] = table[places[i]]. Every place is in the table; `out` has one number for each.
void look_up(std::span<const float> table, std::span<const std::uint8_t> places, float* out);

}  // namespace greenkgc::simd
