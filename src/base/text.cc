#include "base/text.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace greenkgc {

std::string with_commas(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string count_of(std::uint64_t n, std::string_view noun) {
  if (n == 1) return fmt::format("1 {}", noun);
  const bool to_ies = noun.ends_with("ty");
  return fmt::format("{} {}{}", with_commas(n), to_ies ? noun.substr(0, noun.size() - 1) : noun,
                     to_ies ? "ies" : "s");
}

namespace {

// Length of the character at the start of `text` if it is well-formed UTF-8 and not a control character,
// else 0.
std::size_t printable_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto ones = static_cast<std::size_t>(std::countl_one(byte(0)));
  const std::size_t length = ones == 0 ? 1 : ones;
  if (ones == 1 || length > 4 || length > text.size()) return 0;
  char32_t character = byte(0) & (0x7F >> ones);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3F);
  }
  // The first printable character of each length; those below are control characters or overlong.
  constexpr char32_t kFirst[] = {0, 0x20, 0xA0, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  const bool valid = character >= kFirst[length] && character != 0x7F && !surrogate && character <= 0x10FFFF;
  return valid ? length : 0;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::string out = "'";
  while (!text.empty()) {
    if (out.size() > kMost) return out + "...'";
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = printable_length(text);
    if (byte == '\t') {
      out += "\\t";
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (length == 0) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + "'";
}

namespace {

template <class Number>
bool parse_whole(std::string_view text, Number& value) {
  Number parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  value = parsed;
  return true;
}

}  // namespace

bool parse_u64(std::string_view text, std::uint64_t& value) {
  return parse_whole(text, value);
}
bool parse_i64(std::string_view text, std::int64_t& value) {
  return parse_whole(text, value);
}
bool parse_double(std::string_view text, double& value) {
  double parsed = 0;
  if (!parse_whole(text, parsed) || !std::isfinite(parsed)) return false;
  value = parsed;
  return true;
}

}  // namespace greenkgc
