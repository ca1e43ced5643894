#include "cli/display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cwchar>

namespace greenkgc::cli {

namespace {

struct Glyph {
  std::size_t bytes;
  int columns;  // negative: not to be shown as it is
};

Glyph first_glyph(std::string_view text) {
  wchar_t wide = 0;
  std::mbstate_t state{};
  const std::size_t bytes = std::mbrtowc(&wide, text.data(), text.size(), &state);
  if (bytes == 0 || bytes > text.size()) return {1, -1};  // NUL, or not UTF-8
  return {bytes, ::wcwidth(wide)};
}

std::string trimmed_number(double value) {
  return value < 9.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  if (::isatty(descriptor) == 0) return 0;
  constexpr std::size_t kUsual = 80;
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    width += static_cast<std::size_t>(std::max(glyph.columns, 0));
    text.remove_prefix(glyph.bytes);
  }
  return width;
}

std::string printable(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t width = 0;
  std::size_t ellipsis_at = 0;  // bytes of `out` that leave room for an ellipsis
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    const std::string shown = glyph.columns < 0
                                  ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]))
                                  : std::string(text.substr(0, glyph.bytes));
    width += glyph.columns < 0 ? shown.size() : static_cast<std::size_t>(glyph.columns);
    if (width > columns) return out.substr(0, ellipsis_at) + "…";
    out += shown;
    if (width < columns) ellipsis_at = out.size();
    text.remove_prefix(glyph.columns < 0 ? 1 : glyph.bytes);
  }
  return out;
}

std::string printable_label(std::string_view text, std::size_t columns) {
  std::string whole = printable(text);
  if (display_width(whole) <= columns) return whole;
  const std::string front = printable(whole, (columns + 1) / 2);  // ends with the ellipsis
  const std::size_t room = columns - display_width(front);
  std::string_view back = whole;
  for (std::size_t width = display_width(back); width > room;) {
    const Glyph glyph = first_glyph(back);
    width -= static_cast<std::size_t>(glyph.columns);
    back.remove_prefix(glyph.bytes);
  }
  return front + std::string(back);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t at = indent;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    const std::size_t width = display_width(word);
    if (at > indent && at + 1 + width > columns) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out;
}

std::string commas(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string count_of(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", commas(n), n == 1 ? one : many);
}

std::string percent(double share) {
  if (share > 0 && share < 0.0001) return "<0.01%";
  if (share < 1 && share > 0.9999) return ">99.99%";
  return fmt::format("{:.{}f}%", 100 * share, share > 0 && share < 0.01 ? 2 : 1);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return percent(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string short_amount(double amount, std::string_view unit) {
  constexpr std::array kPrefixes = {"", "k", "M", "G", "T"};
  std::size_t prefix = 0;
  for (; amount >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) amount /= 1000;
  const std::string number = prefix == 0 ? fmt::format("{:.0f}", amount) : trimmed_number(amount);
  if (unit == "bytes") return fmt::format("{} {}B", number, kPrefixes[prefix]);
  return prefix == 0 ? fmt::format("{} {}", number, unit)
                     : fmt::format("{} {} {}", number, kPrefixes[prefix], unit);
}

std::string figure(double x, int digits) {
  return x < 0 ? "" : fmt::format("{:.{}f}", x, digits);
}

std::string short_protocol(const std::string& protocol) {
  return protocol == "paper" ? "paper, answer exempt" : protocol;
}

std::string short_seconds(double seconds) {
  if (seconds < 59.5) return trimmed_number(seconds) + " s";
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e9)));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string bar(double share, std::size_t columns) {
  constexpr std::array kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double filled = std::clamp(share, 0.0, 1.0) * static_cast<double>(columns) * 8;
  const auto eighths = static_cast<std::size_t>(std::llround(filled));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out + kParts[eighths % 8];
}

}  // namespace greenkgc::cli
