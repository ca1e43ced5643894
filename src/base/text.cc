#include "base/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/utf8.h"

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
  const bool to_ies = noun.ends_with("ty") || noun.ends_with("ry");
  return fmt::format("{} {}{}", with_commas(n), to_ies ? noun.substr(0, noun.size() - 1) : noun,
                     to_ies ? "ies" : "s");
}

namespace {

// Length of the character at the start of `text` if it is well-formed UTF-8 and not a control character
// (Unicode, category Cc), else 0.
std::size_t printable_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  const bool control = byte < 0x20 || byte == 0x7F || (byte == 0xC2 && text.size() > 1 && text[1] < '\xA0');
  return control ? 0 : utf8_length(text);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

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
