#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensors/safetensors.h"

namespace greenkgc::tensors {

// Throws kCorrupt, naming the tensor, unless it has the shape that the other tensors call for.
void expect_shape(const SafetensorsFile& file, const std::string& tensor,
                  const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& expected);

// Throws kCorrupt, naming row and column, for a number that is not finite.
void check_finite(const SafetensorsFile& file, std::span<const float> values, std::size_t width,
                  std::string_view what);

// Throws kCorrupt, naming tensor and place, for a number that is not below the bound.
void check_below(const SafetensorsFile& file, const std::string& tensor,
                 std::span<const std::uint32_t> values, std::uint64_t bound);

}  // namespace greenkgc::tensors
