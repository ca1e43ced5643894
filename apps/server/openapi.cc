#include "server/openapi.h"

#include <string_view>

#include "greenkgc/version.h"
#include "openapi_json.inc"
#include "server/answer_json.h"

namespace greenkgc::server {

std::string openapi_text(const ServeOptions&) {
  Json document =
      Json::parse(std::string_view(reinterpret_cast<const char*>(kOpenapiJson), sizeof(kOpenapiJson)));
  document["info"]["version"] = build_info().version;
  return document.dump(2) + "\n";
}

}  // namespace greenkgc::server
