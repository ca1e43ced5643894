#pragma once

#include <string>
#include <utility>
#include <vector>

namespace greenkgc::server {

// An OpenAPI document (as openapi_text makes it) as a page for people: no scripts, nothing from elsewhere.
std::string docs_page(const std::string& openapi);

// The headers that the page is sent with.
std::vector<std::pair<std::string, std::string>> docs_headers();

}  // namespace greenkgc::server
