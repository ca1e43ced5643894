#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace greenkgc::simd {

// A byte at this distance from a place is one of two.
struct ByteTest {
  std::size_t offset = 0;
  std::uint8_t either = 0;
  std::uint8_t other = 0;  // the same as `either` where there is no choice
};

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// The first place in [begin, end) of `text` where both tests hold, or kNowhere. end + offset <= text.size()
// for both. One pass at about the speed of memory.
std::size_t find_bytes(std::string_view text, std::size_t begin, std::size_t end, const ByteTest& a,
                       const ByteTest& b);

}  // namespace greenkgc::simd
