#include "graph/io/rdf_terms.h"

#include <array>

#include "base/utf8.h"
#include "graph/io/iri.h"

namespace greenkgc::graph {
namespace {

constexpr std::string_view kXsdString = "http://www.w3.org/2001/XMLSchema#string";
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

constexpr bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_alnum(char c) {
  return is_alpha(c) || is_digit(c);
}

using ByteSet = std::array<bool, 256>;

template <class Predicate>
constexpr ByteSet bytes_where(Predicate predicate) {
  ByteSet set{};
  for (int byte = 0; byte < 256; ++byte) {
    set[static_cast<std::size_t>(byte)] = predicate(static_cast<char>(byte));
  }
  return set;
}

constexpr bool contains(const ByteSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

constexpr ByteSet kUnreserved =
    bytes_where([](char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~'; });
constexpr ByteSet kInNoLabel = bytes_where([](char c) { return c == '\t' || c == '\n' || c == '\0'; });

// The letter after the backslash for a character that N-Triples has a short escape for, or 0.
constexpr char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    default:
      return '\0';
  }
}

constexpr ByteSet kEscaped = bytes_where(
    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || short_escape(c) != '\0'; });

void append_hex(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 0xF];
}

void append_escaped(std::string& out, char c) {
  out += '\\';
  if (const char letter = short_escape(c); letter != '\0') {
    out += letter;
  } else {
    out += "u00";
    append_hex(out, c);
  }
}

// Value of two upper-case hexadecimal digits at the start of `text`, or -1.
int parse_hex(std::string_view text) {
  if (text.size() < 2) return -1;
  const std::size_t high = kHexDigits.find(text[0]);
  const std::size_t low = kHexDigits.find(text[1]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(high * 16 + low);
}

// Takes one escape that append_escaped writes off the front of `text`.
bool skip_escape(std::string_view& text) {
  if (text.size() < 2) return false;
  const bool is_short = std::string_view("\"\\btnfr").find(text[1]) != std::string_view::npos;
  if (is_short) {
    text.remove_prefix(2);
    return true;
  }
  if (!text.starts_with("\\u00")) return false;
  const int code = parse_hex(text.substr(4));
  if (code < 0) return false;
  const char c = static_cast<char>(code);
  if (!contains(kEscaped, c) || short_escape(c) != '\0') return false;
  text.remove_prefix(6);
  return true;
}

bool is_language(std::string_view tag) {
  for (bool first = true;; first = false) {
    const std::size_t end = tag.find('-');
    const std::string_view part = tag.substr(0, end);
    if (part.empty()) return false;
    for (const char c : part) {
      if (!is_alpha(c) && (first || !is_digit(c))) return false;
    }
    if (end == std::string_view::npos) return true;
    tag.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_blank_node(std::string_view label) {
  if (!label.starts_with("_:") || label.size() == 2 || label.ends_with('.')) return false;
  const std::string_view name = label.substr(2);
  if (!is_alnum(name[0]) && name[0] != '_') return false;
  for (const char c : name) {
    if (!is_alnum(c) && c != '_' && c != '-' && c != '.') return false;
  }
  return true;
}

bool needs_blank_escape(std::string_view name) {
  return name.starts_with(kBlankEscape) || (name.size() >= 2 && name[0] == 'B' && is_digit(name[1]));
}

void append_literal(std::string& label, const Literal& literal) {
  label += '"';
  for (const char c : literal.value) {
    if (contains(kEscaped, c)) {
      append_escaped(label, c);
    } else {
      label += c;
    }
  }
  label += '"';
  if (!literal.language.empty()) {
    label.append("@").append(literal.language);
  } else if (!literal.datatype.empty() && literal.datatype != kXsdString) {
    label.append("^^<").append(literal.datatype).append(">");
  }
}

bool is_literal(std::string_view label) {
  if (!label.starts_with('"') || !is_utf8(label)) return false;
  std::string_view rest = label.substr(1);
  while (!rest.starts_with('"')) {
    if (rest.empty()) return false;
    if (!contains(kEscaped, rest[0])) {
      rest.remove_prefix(1);
    } else if (rest[0] != '\\' || !skip_escape(rest)) {
      return false;
    }
  }
  rest.remove_prefix(1);
  if (rest.empty()) return true;
  if (rest.starts_with('@')) return is_language(rest.substr(1));
  if (!rest.starts_with("^^<") || !rest.ends_with('>')) return false;
  const std::string_view datatype = rest.substr(3, rest.size() - 4);
  return is_absolute_iri(datatype) && datatype != kXsdString;
}

void append_own_iri(std::string& iri, std::string_view label) {
  iri += kOwnNamespace;
  for (const char c : label) {
    if (contains(kUnreserved, c)) {
      iri += c;
    } else {
      iri += '%';
      append_hex(iri, c);
    }
  }
}

bool decode_own_iri(std::string_view iri, std::string& label) {
  if (!iri.starts_with(kOwnNamespace) || iri.size() == kOwnNamespace.size()) return false;
  label.clear();
  for (std::string_view rest = iri.substr(kOwnNamespace.size()); !rest.empty();) {
    char c = rest[0];
    if (c == '%') {
      const int code = parse_hex(rest.substr(1));
      if (code < 0) return false;
      c = static_cast<char>(code);
      if (contains(kUnreserved, c) || contains(kInNoLabel, c)) return false;
      rest.remove_prefix(3);
    } else if (contains(kUnreserved, c)) {
      rest.remove_prefix(1);
    } else {
      return false;
    }
    label += c;
  }
  return true;
}

}  // namespace greenkgc::graph
