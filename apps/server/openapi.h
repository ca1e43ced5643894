#pragma once

#include <string>

#include "server/serve_options.h"

namespace greenkgc::server {

// openapi.json with this program's version and the limits of this service.
std::string openapi_text(const ServeOptions& options);

}  // namespace greenkgc::server
