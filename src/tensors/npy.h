#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "greenkgc/context.h"
#include "tensors/float_table.h"

namespace greenkgc::tensors {

// numpy's file of one array: 6 bytes of magic, 2 of version, the length of a header, the header (a Python
// dictionary), then the numbers.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Versions 1 to 3; little-endian float16, float32 and float64 (rounded to float32); C and Fortran order; two
// dimensions, or one, which is taken as a column. Trusts nothing: memory grows with the bytes that are really
// there. Throws kCorrupt with the byte for a damaged file, kBadInput for an array of another kind.
FloatTable read_npy(ByteSource& source, const Context& context);

// Version 1.0, float32, C order: what numpy.save writes.
void write_npy(OutputFile& file, std::uint64_t rows, std::uint64_t columns, std::span<const float> values);

}  // namespace greenkgc::tensors
