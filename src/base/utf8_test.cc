#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace greenkgc {
namespace {

std::string encoded(std::uint32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCharacterIsValidAndOnlyWhole) {
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    const std::string text = encoded(code);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    ASSERT_EQ(valid_utf8_prefix(text), surrogate ? 0 : text.size()) << std::hex << code;
    ASSERT_EQ(valid_utf8_prefix(text.substr(0, text.size() - 1)), 0U) << std::hex << code;
  }
  EXPECT_FALSE(is_utf8(encoded(0x110000)));
}

TEST(Utf8, OverlongAndStrayBytesAreRefused) {
  for (const char* bad : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                          "\xF5\x80\x80\x80", "\xFF", "\xC3(", "\xE2\x82(", "\xF0\x9F\x98("}) {
    EXPECT_EQ(valid_utf8_prefix(bad), 0U) << testing::PrintToString(std::string(bad));
  }
}

TEST(Utf8, PrefixEndsAtTheFirstBadByteWhereverItIs) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'a');
    text[at] = '\xFF';
    EXPECT_EQ(valid_utf8_prefix(text), at);
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("Tromsø, Kyōto, Αθήνα, 😀"));
}

}  // namespace
}  // namespace greenkgc
