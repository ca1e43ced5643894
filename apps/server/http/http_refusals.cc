#include "server/http/http_refusals.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <chrono>

namespace greenkgc::server {

namespace beast = boost::beast;
namespace http = beast::http;

namespace {

HttpResponse malformed(std::string_view message) {
  return error_response(400, "malformed", message);
}

// Whether these bytes are a Content-Length beyond 64 bits. The parser refuses it as it refuses any that is no
// number, and leaves the line unread.
bool is_endless_length(std::string_view line) {
  constexpr std::string_view kName = "content-length:";
  constexpr std::size_t kLongest = 19;  // digits that fit into 64 bits
  if (line.size() < kName.size() || ::strncasecmp(line.data(), kName.data(), kName.size()) != 0) return false;
  line.remove_prefix(kName.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::min(line.find_first_not_of("0123456789"), line.size()) > kLongest;
}

}  // namespace

HttpResponse no_http() {
  return malformed("this is no HTTP request, or it ends too early");
}

HttpResponse head_too_long() {
  return error_response(431, "head_too_long",
                        fmt::format("a request's line and headers have at most {} bytes", kMostHeadBytes));
}

HttpResponse body_too_long(const HttpLimits& limits) {
  return error_response(413, "body_too_long",
                        fmt::format("a request's body has at most {} bytes", limits.body_bytes));
}

HttpResponse too_slow(std::string_view part, const HttpLimits& limits) {
  return error_response(408, "too_slow",
                        fmt::format("the {} did not come within {:g} s", part,
                                    std::chrono::duration<double>(limits.read_time).count()));
}

HttpResponse parse_failure(beast::error_code error, std::string_view unread, const HttpLimits& limits) {
  if (error == http::error::header_limit) return head_too_long();
  if (error == http::error::body_limit) return body_too_long(limits);
  if (error == http::error::bad_content_length && is_endless_length(unread)) return body_too_long(limits);
  return no_http();
}

std::optional<HttpResponse> misframed(const http::request_header<>& head, bool complete) {
  if (head.method() == http::verb::unknown) return malformed("HTTP has no such method");
  const auto codings = head.count(http::field::transfer_encoding);
  if (head.count(http::field::content_length) + codings > 1)
    return malformed("a request has one Content-Length or one Transfer-Encoding");
  if (codings > 0 && !beast::iequals(head[http::field::transfer_encoding], "chunked"))
    return error_response(501, "not_implemented", "of transfer encodings, this server knows chunked alone");
  if (head.method() == http::verb::post) {
    if (!head[http::field::content_encoding].empty())
      return error_response(415, "compressed", "bodies of requests are not compressed here");
  } else if (!complete) {
    const auto method = head.method_string();
    return error_response(400, "unexpected_body",
                          fmt::format("a {} has no body", std::string_view(method.data(), method.size())));
  }
  return std::nullopt;
}

}  // namespace greenkgc::server
