#include "report/chart/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/utf8.h"

namespace greenkgc::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

// XML has no U+FFFE and U+FFFF.
bool is_no_character(std::string_view character) {
  return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

// With a unit that leaves 1 to 999 before the point: three digits.
std::string scaled(double x, double step, const std::array<std::string_view, 5>& units) {
  std::size_t unit = 0;
  while (std::abs(x) >= 999.5 && unit + 1 < units.size()) {
    x /= step;
    ++unit;
  }
  const int decimals = unit == 0 || std::abs(x) >= 99.95 ? 0 : std::abs(x) >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", x, decimals, units[unit]);
}

}  // namespace

namespace {

std::string escaped_but(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    const std::string_view entity = kept.find(text[0]) == kept.npos ? entity_of(text[0]) : std::string_view();
    if (length == 0 || is_control(text[0]) || is_no_character(character)) {
      out += kReplacement;
    } else {
      out += entity.empty() ? character : entity;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  return escaped_but(text, "");
}

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : escaped_but(text, "\"'")) {
    if (c == '\n' || c == '\t') {
      out += ' ';
    } else {
      if (std::string_view("|\\`*_[").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string short_number(double x) {
  if (!std::isfinite(x)) return "-";
  if (std::abs(x) < 999.5) return fmt::format("{:.3g}", x);
  return scaled(x, 1000, {"", "k", "M", "G", "T"});
}

std::string bytes_text(double n) {
  return scaled(n, 1000, {"bytes", "kB", "MB", "GB", "TB"});
}

std::string seconds_text(double s) {
  if (!std::isfinite(s) || s < 0) return "-";
  if (s < 0.0995) return fmt::format("{:.0f} ms", 1e3 * s);
  if (s < 9.95) return fmt::format("{:.1f} s", s);
  if (s < 59.5) return fmt::format("{:.0f} s", s);
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(s, 1e15)));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

}  // namespace greenkgc::report
