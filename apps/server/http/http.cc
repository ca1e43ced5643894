#include "server/http/http.h"

#include <algorithm>

#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, char space) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size();
    const int high = has_digits ? hex_digit(text[i + 1]) : -1;
    const int low = has_digits ? hex_digit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      result += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      result += text[i] == space ? ' ' : text[i];
    }
  }
  return result;
}

}  // namespace

Target parse_target(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  Target parsed{.path = decoded(target.substr(0, mark), '\0')};
  std::string_view query = target.substr(std::min(mark + 1, target.size()));
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.empty()) continue;
    const std::size_t middle = std::min(one.find('='), one.size());
    parsed.parameters.emplace(decoded(one.substr(0, middle), '+'),
                              decoded(one.substr(std::min(middle + 1, one.size())), '+'));
  }
  return parsed;
}

HttpResponse error_response(int status, std::string_view code, std::string_view message) {
  return {.status = status, .body = compact_text({{"error", {{"code", code}, {"message", message}}}}) + "\n"};
}

bool is_loopback(std::string_view host) {
  constexpr std::string_view kMapped = "::ffff:";  // IPv4 as IPv6
  if (host.starts_with(kMapped)) host.remove_prefix(kMapped.size());
  if (host.starts_with("127.")) return host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "::1" || host == "[::1]" || host == "localhost";
}

}  // namespace greenkgc::server
