#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace greenkgc::simd {

// Finds the bytes that structure a table of text. Appends to `positions` (not cleared) the index of each byte
// that is `separator` or '\n', in order; `text` is shorter than 4 GiB. Returns whether there is a NUL byte
// anywhere in `text`. One pass at about the speed of memory: the reader of 16 M triples spends a tenth of its
// time here, instead of a half in a loop over bytes.
bool find_separators(std::span<const char> text, char separator, std::vector<std::uint32_t>& positions);

}  // namespace greenkgc::simd
