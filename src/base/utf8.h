#pragma once

#include <cstddef>
#include <string_view>

namespace greenkgc {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Length of the well-formed character (Unicode, table 3-7) at the start of `text`, or 0.
std::size_t utf8_length(std::string_view text);

// Bytes of the longest prefix of `text` that is whole, well-formed UTF-8 characters.
std::size_t valid_utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return valid_utf8_prefix(text) == text.size();
}

}  // namespace greenkgc
