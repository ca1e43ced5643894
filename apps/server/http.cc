#include "server/http.h"

#include "server/answer_json.h"

namespace greenkgc::server {

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
