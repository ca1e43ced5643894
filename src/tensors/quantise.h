#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"

namespace greenkgc::tensors {

// A table of floats by short codes of 1 to 8 bits. Each column has 2^bits levels, the means of equal shares
// of its sorted values (quantile bins), in ascending order; a value's code is the nearest level, the lower of
// two. Codes keep the order of values. A row's codes stand one after another without gaps, the lowest bits of
// a byte first; rows begin at whole bytes.
struct QuantisedTable {
  std::vector<std::uint8_t> codes;  // rows of row_bytes()
  std::vector<float> levels;        // columns rows of 2^bits

  static std::size_t row_bytes(std::size_t columns, unsigned bits) { return (columns * bits + 7) / 8; }
};

// `table` has rows of `columns` finite floats.
QuantisedTable quantise(std::span<const float> table, std::size_t columns, unsigned bits,
                        const Context& context);

// The floats that the codes stand for. Sizes must fit each other.
std::vector<float> restored(std::span<const std::uint8_t> codes, std::span<const float> levels,
                            std::size_t rows, std::size_t columns, unsigned bits);

}  // namespace greenkgc::tensors
