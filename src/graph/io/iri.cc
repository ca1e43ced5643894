#include "graph/io/iri.h"

#include <array>
#include <optional>

#include "base/utf8.h"

namespace greenkgc::graph {
namespace {

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Bytes that may stand in an IRI; those above 0x7F as part of UTF-8.
constexpr std::array<bool, 256> kIriBytes = [] {
  std::array<bool, 256> allowed{};
  for (std::size_t byte = 0x21; byte < 256; ++byte) allowed[byte] = true;
  for (const char c : std::string_view("<>\"{}|^`\\")) allowed[static_cast<unsigned char>(c)] = false;
  return allowed;
}();

// Without their delimiters; absent is not the same as empty.
struct IriParts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

// Takes the front of `text` up to the first of `ends`.
std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::string_view taken = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(taken.size());
  return taken;
}

IriParts split(std::string_view iri) {
  IriParts parts;
  if (has_scheme(iri)) {
    parts.scheme = take_until(iri, ":");
    iri.remove_prefix(1);
  }
  if (iri.starts_with("//")) {
    iri.remove_prefix(2);
    parts.authority = take_until(iri, "/?#");
  }
  parts.path = take_until(iri, "?#");
  if (iri.starts_with('?')) {
    iri.remove_prefix(1);
    parts.query = take_until(iri, "#");
  }
  if (iri.starts_with('#')) parts.fragment = iri.substr(1);
  return parts;
}

std::string without_dot_segments(std::string_view path) {
  std::string out;
  const auto drop_last_segment = [&] {
    const std::size_t slash = out.rfind('/');
    out.resize(slash == std::string::npos ? 0 : slash);
  };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last_segment();
    } else if (path == "/..") {
      path = "/";
      drop_last_segment();
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

std::string merged_path(const IriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view() : base.path.substr(0, slash + 1);
  return std::string(folder) + std::string(path);
}

}  // namespace

bool has_scheme(std::string_view iri) {
  if (iri.empty() || !is_alpha(iri[0])) return false;
  for (const char c : iri) {
    if (c == ':') return true;
    const bool allowed = is_alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!allowed) return false;
  }
  return false;
}

bool is_absolute_iri(std::string_view text) {
  if (!has_scheme(text)) return false;
  for (const char c : text) {
    if (!kIriBytes[static_cast<unsigned char>(c)]) return false;
  }
  return is_utf8(text);
}

std::string resolve_iri(std::string_view base, std::string_view reference) {
  if (has_scheme(reference)) return std::string(reference);
  const IriParts from = split(base);
  const IriParts to = split(reference);
  std::string path;
  std::optional<std::string_view> query = to.query;
  if (to.authority || to.path.starts_with('/')) {
    path = without_dot_segments(to.path);
  } else if (!to.path.empty()) {
    path = without_dot_segments(merged_path(from, to.path));
  } else {
    path = from.path;
    if (!query) query = from.query;
  }

  std::string iri;
  if (from.scheme) iri.append(*from.scheme).append(":");
  if (const auto authority = to.authority ? to.authority : from.authority)
    iri.append("//").append(*authority);
  iri += path;
  if (query) iri.append("?").append(*query);
  if (to.fragment) iri.append("#").append(*to.fragment);
  return iri;
}

}  // namespace greenkgc::graph
