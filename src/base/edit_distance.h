#pragma once

#include <cstddef>
#include <string_view>

namespace greenkgc {

// Insertions, deletions, replacements and swaps of neighboring bytes that turn `a` into `b` (Damerau and
// Levenshtein, no edit inside a swap). Time is the product of their sizes.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace greenkgc
