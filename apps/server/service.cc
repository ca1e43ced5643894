#include "server/service.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

#include "greenkgc/error.h"
#include "greenkgc/version.h"
#include "server/docs_page.h"
#include "server/openapi.h"
#include "server/static_files.h"
#include "server/token.h"

namespace greenkgc::server {
namespace {

constexpr const char* kReloadPath = "/v1/admin/reload";
constexpr int kMostSlowThreads = 1;
constexpr std::size_t kMostSlowWaiting = 16;
constexpr std::chrono::milliseconds kReloadTime =
    std::chrono::hours(24);  // reading a model has no bound but its size

// How a failure of the library is told to a client.
HttpResponse library_error(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kBadInput:  // a label
      return error_response(404, "unknown_label", error.what());
    case ErrorCode::kUsage:
      return error_response(422, "not_possible", error.what());
    case ErrorCode::kInterrupted:
      return error_response(503, "stopping", "the service is being stopped");
    default:
      return error_response(500, "failed", error.what());
  }
}

HttpResponse http_error(const HttpError& error) {
  HttpResponse response = error_response(error.status(), error.code(), error.what());
  if (error.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.status() == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse failure(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const HttpError& error) {
    return http_error(error);
  } catch (const Error& error) {
    return library_error(error);
  } catch (const std::bad_alloc&) {
    return error_response(503, "no_memory", "there is not enough memory for this");
  } catch (const std::exception& error) {
    return error_response(500, "failed", error.what());
  }
}

HttpResponse page_file(const HttpRequest& request) {
  if (auto file = static_file(request)) return *file;
  throw HttpError(404, "no_such_path", "there is nothing of that path; /openapi.json lists what there is");
}

std::string without_port(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  return colon == std::string::npos || host.ends_with(']') ? host : host.substr(0, colon);
}

}  // namespace

struct Service::Endpoint {
  const char* method;
  const char* path;
  void (*ask)(const Asking&, HttpRequest&, Done) = nullptr;
  HttpResponse (Service::*own)(const HttpRequest&) = nullptr;
  bool open = false;  // needs no token
};

const std::vector<Service::Endpoint>& Service::endpoints() {
  static const std::vector<Endpoint> all = {
      {"GET", "/v1/model", get_model},
      {"GET", "/v1/entities", get_entities},
      {"GET", "/v1/relations", get_relations},
      {"GET", "/v1/predict", get_predict},
      {"POST", "/v1/predict", post_predict},
      {"GET", "/v1/score", get_score},
      {"POST", "/v1/score", post_score},
      {"GET", "/v1/explain", get_explain},
      {"GET", "/v1/neighbors", get_neighbors},
      {"GET", "/v1/facts", get_facts},
      {"GET", "/v1/complete", get_complete},
      {"POST", kReloadPath},
      {"GET", "/metrics", nullptr, &Service::metrics_page},
      {"GET", "/healthz", nullptr, &Service::health, true},
      {"GET", "/readyz", nullptr, &Service::readiness, true},
      {"GET", "/openapi.json", nullptr, &Service::description, true},
      {"GET", "/docs", nullptr, &Service::documentation, true},
  };
  return all;
}

Service::Service(ModelHolder& models, const Setup& setup, const Context& context)
    : models_(models),
      setup_(setup),
      context_(context),
      limits_{setup.options.max_k, setup.options.max_batch, setup.options.max_answers,
              setup.options.max_queries, milliseconds(setup.options.max_seconds)},
      openapi_(openapi_text(setup.options)),
      docs_(docs_page(openapi_)),
      access_log_(setup.options.access_log),
      metrics_(paths()),
      workers_(
          {.threads = context.thread_count(), .queue = static_cast<std::size_t>(setup.options.max_waiting)}),
      slow_workers_({.threads = kMostSlowThreads, .queue = kMostSlowWaiting, .cancels_late = false}),
      reload_workers_({.threads = 1, .queue = kMostSlowWaiting, .cancels_late = false}) {}

std::vector<std::string> Service::paths() {
  std::vector<std::string> all = {"/"};
  for (const Endpoint& endpoint : endpoints()) all.emplace_back(endpoint.path);
  return all;
}

// GET stands for HEAD, too.
const Service::Endpoint* Service::find(const HttpRequest& request) {
  const std::string& method = request.method == "HEAD" ? "GET" : request.method;
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.path == request.path && endpoint.method == method) return &endpoint;
  }
  return nullptr;
}

void Service::check_method(const HttpRequest& request) {
  std::string allowed;
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.path == request.path)
      allowed += (allowed.empty() ? "" : " or ") + std::string(endpoint.method);
  }
  if (!allowed.empty())
    throw HttpError(405, "wrong_method", fmt::format("{} wants {}", request.path, allowed));
}

void Service::check_token(const HttpRequest& request) const {
  if (setup_.token.empty() || has_token(request.authorization, setup_.token)) return;
  throw HttpError(401, "no_token",
                  request.authorization.empty() ? "this needs a token (Authorization: Bearer ...)"
                                                : "this is not the token that is needed");
}

// A page from elsewhere may have its name resolved to this machine, and would then read what is here as its
// own.
void Service::check_host(const HttpRequest& request) const {
  if (!setup_.token.empty() || !is_loopback(setup_.options.host) || request.host.empty()) return;
  const std::string name = without_port(request.host);
  const auto& allowed = setup_.options.allow_host;
  if (is_loopback(name) || std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return;
  throw HttpError(421, "wrong_host",
                  "without a token, this answers requests for localhost (--allow-host names more)");
}

// A page from elsewhere may send simple requests from a browser of this machine.
void Service::check_origin(const HttpRequest& request) const {
  if (request.method != "POST" || request.origin.empty()) return;
  const std::size_t scheme = request.origin.find("://");
  if (scheme == std::string::npos || request.origin.substr(scheme + 3) != request.host)
    throw HttpError(403, "foreign_origin", "a page from elsewhere may not do this");
}

// Of a POST whose body is needed.
void Service::check_body(const HttpRequest& request) {
  if (request.without_length)
    throw HttpError(411, "length_required", "this POST needs a body and says how long it is: Content-Length");
  if (!request.content_type.starts_with("application/json"))
    throw HttpError(415, "not_json", "the body should be of Content-Type application/json");
}

std::optional<HttpResponse> Service::refusal(const HttpRequest& request) {
  try {
    check_host(request);
    const Endpoint* endpoint = find(request);
    if (endpoint == nullptr) {
      check_method(request);
      if (request.method != "GET" && request.method != "HEAD")
        throw HttpError(404, "no_such_path",
                        "there is nothing of that path; /openapi.json lists what there is");
      return std::nullopt;
    }
    if (!endpoint->open) check_token(request);
    check_origin(request);
    if (request.method == "POST" && endpoint->ask != nullptr) check_body(request);
    return std::nullopt;
  } catch (const HttpError& error) {
    return http_error(error);
  }
}

void Service::answer(HttpRequest& request, Respond respond) {
  try {
    answer_or_throw(request, respond);
  } catch (...) {
    respond(failure(std::current_exception()));
  }
}

HttpResponse Service::answer(HttpRequest request) {
  const auto response = std::make_shared<std::promise<HttpResponse>>();
  auto ready = response->get_future();
  answer(request, [response](HttpResponse made) { response->set_value(std::move(made)); });
  return ready.get();
}

void Service::answer_or_throw(HttpRequest& request, const Respond& respond) {
  const Endpoint* endpoint = find(request);
  if (endpoint != nullptr && endpoint->ask != nullptr) {
    const Asking asking{models_.current(), batcher_, workers_, slow_workers_, limits_};
    endpoint->ask(asking, request, [respond](Outcome outcome) {
      if (outcome.error) return respond(failure(outcome.error));
      respond({.body = std::move(outcome.text) + "\n", .headers = {{"Cache-Control", "no-cache"}}});
    });
  } else if (endpoint != nullptr && endpoint->own == nullptr) {
    reload_and_answer(request, respond);
  } else {
    respond(endpoint != nullptr ? (this->*endpoint->own)(request) : page_file(request));
  }
}

HttpResponse Service::health(const HttpRequest&) {
  return {.body = "{\"status\":\"ok\"}\n"};
}

HttpResponse Service::readiness(const HttpRequest&) {
  if (!ready_) return error_response(503, "stopping", "the service is being stopped");
  return {.body = "{\"status\":\"ready\"}\n"};
}

HttpResponse Service::description(const HttpRequest&) {
  return {.body = openapi_};
}

HttpResponse Service::documentation(const HttpRequest&) {
  return {.body = docs_, .content_type = "text/html; charset=utf-8", .headers = docs_headers()};
}

HttpResponse Service::metrics_page(const HttpRequest&) {
  const Json& card = models_.current()->card();
  return {.body = metrics_.text({.connections = connection_count_(),
                                 .waiting = workers_.waiting() + batcher_.waiting() + slow_workers_.waiting(),
                                 .ready = ready_,
                                 .generation = card["generation"],
                                 .entities = card["entities"],
                                 .relations = card["relations"],
                                 .facts = card["facts"],
                                 .log_lines_left_out = access_log_.left_out()}),
          .content_type = "text/plain; version=0.0.4; charset=utf-8"};
}

void Service::reload_and_answer(const HttpRequest& request, const Respond& respond) {
  if (setup_.token.empty() && !is_loopback(request.remote_address))
    throw HttpError(403, "not_local", "without a token, only this machine itself may do this");
  const auto reload_now = [this](const Context&) {
    const std::string failed = try_to_reload();
    if (!failed.empty())
      throw HttpError(500, "not_reloaded", failed + "; the model that was there goes on answering");
    const Json& card = models_.current()->card();
    return compact_text({{"generation", card["generation"]}, {"loaded", card["loaded"]}});
  };
  reload_workers_.submit(reload_now, kReloadTime, [respond](Outcome outcome) {
    respond(outcome.error ? failure(outcome.error) : HttpResponse{.body = std::move(outcome.text) + "\n"});
  });
}

void Service::reload() {
  access_log_.reopen();
  try_to_reload();
}

void Service::warn(const std::string& message) {
  const std::lock_guard lock(log_mutex_);
  context_.say(LogLevel::kWarning, message);
}

void Service::stop() {
  workers_.stop();
  batcher_.stop();
  slow_workers_.stop();
  reload_workers_.stop();
}

std::string Service::try_to_reload() {
  std::string failed;
  try {
    models_.reload({.threads = 1});
  } catch (const std::exception& error) {
    failed = error.what();
  }
  metrics_.count_reload(failed.empty());
  const std::lock_guard lock(log_mutex_);
  if (failed.empty()) {
    context_.say(LogLevel::kInfo, fmt::format("the model was replaced: generation {}",
                                              models_.current()->card()["generation"].get<std::uint64_t>()));
  } else {
    context_.say(LogLevel::kWarning, "the model was not replaced: " + failed);
  }
  return failed;
}

void Service::sent(const HttpRequest& request, const HttpResponse& response, double seconds) {
  const Endpoint* endpoint = find(request);
  metrics_.count(endpoint != nullptr ? endpoint->path : request.path, response.status, seconds);
  Json parameters = Json::object();
  for (const auto& [name, value] : request.parameters) parameters[name] = value;
  access_log_.add(compact_text({{"time", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
                                {"remote", request.remote_address},
                                {"method", request.method},
                                {"path", request.path},
                                {"parameters", std::move(parameters)},
                                {"status", response.status},
                                {"bytes", response.body.size()},
                                {"milliseconds", std::round(seconds * 1e6) / 1e3},
                                {"agent", request.user_agent}}));
}

}  // namespace greenkgc::server
