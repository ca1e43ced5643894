#pragma once

#include <cstdint>
#include <vector>

namespace greenkgc::tensors {

// Rows of numbers as other programs store them, before it is known what they stand for.
struct FloatTable {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<float> values;  // rows * columns, row by row
};

}  // namespace greenkgc::tensors
