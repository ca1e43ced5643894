#include "server/http.h"

#include "server/answer_json.h"

namespace greenkgc::server {

HttpResponse error_response(int status, std::string_view code, std::string_view message) {
  return {.status = status, .body = compact_text({{"error", {{"code", code}, {"message", message}}}}) + "\n"};
}

}  // namespace greenkgc::server
