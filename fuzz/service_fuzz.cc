// Any bytes as a request to the service: the first chooses method and path, the rest is the query or the
// body.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "server/service.h"

using namespace greenkgc;
using namespace greenkgc::server;

namespace {

constexpr const char* kPaths[] = {
    "/v1/model",   "/v1/entities",  "/v1/relations", "/v1/predict",  "/v1/score",
    "/v1/explain", "/v1/neighbors", "/v1/facts",     "/v1/complete", "/"};

// name=value&name=value, as they are after decoding.
std::multimap<std::string, std::string> split(std::string_view text) {
  std::multimap<std::string, std::string> parameters;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    const std::size_t middle = std::min(one.find('='), one.size());
    parameters.emplace(one.substr(0, middle), one.substr(std::min(middle + 1, one.size())));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return parameters;
}

Service& service() {
  static const Context context{.threads = 1};
  static ModelHolder models(GREENKGC_GOLDEN_MODEL, context);
  static Service made(models, {.options = {.access_log = "none", .max_k = 20, .max_batch = 8}}, context);
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  HttpRequest request{.method = data[0] >= 128 ? "POST" : "GET", .path = kPaths[data[0] % std::size(kPaths)]};
  request.content_type = "application/json";
  if (request.method == "POST") {
    request.body = rest;
  } else {
    request.parameters = split(rest);
  }
  if (service().refusal(request)) return 0;
  const HttpResponse response = service().answer(request);
  if (response.status != 200 && response.status != 400 && response.status != 404 && response.status != 422)
    std::abort();
  return 0;
}
