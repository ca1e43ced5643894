#pragma once

// Includes Boost.Beast: for http_session.cc alone.
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/message.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

#include "server/http/http.h"
#include "server/http/http_server.h"

namespace greenkgc::server {

constexpr std::size_t kMostHeadBytes = 16384;  // of a request's line and headers

// The responses to requests that are not HTTP or that exceed a limit. `part` is what the client was sending.
HttpResponse no_http();
HttpResponse head_too_long();
HttpResponse body_too_long(const HttpLimits& limits);
HttpResponse too_slow(std::string_view part, const HttpLimits& limits);

// The response to a request at which the parser failed; it has not taken the bytes `unread`.
HttpResponse parse_failure(boost::beast::error_code error, std::string_view unread, const HttpLimits& limits);

// The response to a head that leaves open where its request ends, which is where the next one begins, or that
// comes with a body that no request has here. `complete`: the request ends with its head.
std::optional<HttpResponse> misframed(const boost::beast::http::request_header<>& head, bool complete);

}  // namespace greenkgc::server
