#include "server/openapi.h"

#include <string_view>

#include "greenkgc/version.h"
#include "openapi_json.inc"
#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

// What stands in the file for limits that are options.
constexpr int kStandIn = 1000;
constexpr int kQueriesStandIn = 5000;

void put_limits(Json& json, const ServeOptions& options) {
  if (json.is_object()) {
    if (json.value("maximum", Json()) == kStandIn) {
      json["maximum"] = options.max_k;
      if (json.contains("default") && json["default"] > options.max_k) json["default"] = options.max_k;
    }
    if (json.value("maximum", Json()) == kQueriesStandIn)
      json["maximum"] = json["default"] = options.max_queries;
    if (json.value("maxItems", Json()) == kStandIn) json["maxItems"] = options.max_batch;
  }
  if (!json.is_structured()) return;
  for (Json& part : json) put_limits(part, options);
}

}  // namespace

std::string openapi_text(const ServeOptions& options) {
  Json document =
      Json::parse(std::string_view(reinterpret_cast<const char*>(kOpenapiJson), sizeof(kOpenapiJson)));
  document["info"]["version"] = build_info().version;
  put_limits(document, options);
  return document.dump(2) + "\n";
}

}  // namespace greenkgc::server
