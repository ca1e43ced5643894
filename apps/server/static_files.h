#pragma once

#include <optional>

#include "server/http/http.h"

namespace greenkgc::server {

// The web page's file of that path, if there is one; of "/" always.
std::optional<HttpResponse> static_file(const HttpRequest& request);

}  // namespace greenkgc::server
