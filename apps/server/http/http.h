#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace greenkgc::server {

// A request, read and decoded. `body` is empty while it is not read.
struct HttpRequest {
  std::string method;
  std::string path;
  std::multimap<std::string, std::string> parameters;  // of the query
  std::string body;
  bool without_length = false;  // a POST that announces no body; if it needs one, its end would be unknown
  std::string remote_address;
  // Headers, "" if they are missing.
  std::string host;
  std::string origin;
  std::string content_type;
  std::string authorization;
  std::string accept_encoding;
  std::string user_agent;
};

struct HttpResponse {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
};

// Why a request gets no answer: the status, a word for programs and a sentence for people.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, std::string code, const std::string& message)
      : std::runtime_error(message), status_(status), code_(std::move(code)) {}
  int status() const { return status_; }
  const std::string& code() const { return code_; }

 private:
  int status_;
  std::string code_;
};

// {"error": {"code": ..., "message": ...}}
HttpResponse error_response(int status, std::string_view code, std::string_view message);

// Of an address, or a name that is always this machine's.
bool is_loopback(std::string_view host);

// Splits a request's target at its first '?' and decodes %XX in both parts, '+' as a space in the query
// alone. A '%' that two hexadecimal digits do not follow stands for itself.
struct Target {
  std::string path;
  std::multimap<std::string, std::string> parameters;
};
Target parse_target(std::string_view target);

// What the requests of a server are for. Called from several threads; does not throw, and returns soon, for
// other connections wait meanwhile.
class HttpHandler {
 public:
  using Respond = std::function<void(HttpResponse)>;

  virtual ~HttpHandler() = default;
  // Whether the request may send its body: the response if not. Called before the body is read.
  virtual std::optional<HttpResponse> refusal(const HttpRequest& request) = 0;
  // Calls `respond` once, now or later, in any thread. May take the request's body; the rest of it stays.
  virtual void answer(HttpRequest& request, Respond respond) = 0;
  // After a response was sent, or was not, since the client did not take it. A request that could not be
  // understood may be empty.
  virtual void sent(const HttpRequest& request, const HttpResponse& response, double seconds) = 0;
};

}  // namespace greenkgc::server
