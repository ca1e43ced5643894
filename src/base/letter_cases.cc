#include "base/letter_cases.h"

#include <algorithm>
#include <clocale>
#include <cwctype>
#include <set>

#include "base/utf8.h"

namespace greenkgc {
namespace {

// Of one well-formed character.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

std::string utf8(char32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  std::string bytes;
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  bytes.push_back(static_cast<char>(kLead[more] | code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) bytes.push_back(static_cast<char>(0x80U | (code >> (6 * i) & 0x3FU)));
  return bytes;
}

// The process's own locale may know ASCII letters alone.
locale_t unicode() {
  static const locale_t locale = [] {
    const locale_t found = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return found != nullptr ? found : ::newlocale(LC_CTYPE_MASK, "C", nullptr);
  }();
  return locale;
}

std::vector<std::string> cases(std::string_view character) {
  const auto code = static_cast<wint_t>(code_point(character));
  const wint_t lower = ::towlower_l(code, unicode());
  const wint_t upper = ::towupper_l(code, unicode());
  std::set<std::string> all = {std::string(character)};
  for (const wint_t other : {lower, upper, ::towupper_l(lower, unicode()), ::towlower_l(upper, unicode())})
    all.insert(utf8(static_cast<char32_t>(other)));
  return {all.begin(), all.end()};
}

}  // namespace

std::vector<std::vector<std::string>> letter_cases(std::string_view text) {
  std::vector<std::vector<std::string>> characters;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      characters.push_back({std::string(text.substr(0, 1))});
    } else {
      characters.push_back(cases(text.substr(0, length)));
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return characters;
}

}  // namespace greenkgc
