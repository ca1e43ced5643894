#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "server/access_log.h"
#include "server/endpoints.h"
#include "server/http/http.h"
#include "server/metrics.h"
#include "server/serve_options.h"
#include "server/served_model.h"
#include "server/work/workers.h"

namespace greenkgc::server {

// All that the service answers, by path: openapi.json describes it. Knows nothing of sockets.
class Service final : public HttpHandler {
 public:
  struct Setup {
    ServeOptions options;
    std::string token;  // empty: none is needed
  };
  // Keeps references. `log` gets a line when something happens to the model.
  Service(ModelHolder& models, const Setup& setup, const Context& context);

  std::optional<HttpResponse> refusal(const HttpRequest& request) override;
  void answer(HttpRequest& request, Respond respond) override;
  // Answers and waits for it, for callers without an event loop.
  HttpResponse answer(HttpRequest request);
  void sent(const HttpRequest& request, const HttpResponse& response, double seconds) override;

  // Replaces the model and opens the access log again; says what came of it in the context's log.
  void reload();
  void warn(const std::string& message);  // in the context's log
  void set_ready(bool ready) { ready_ = ready; }
  // Ends what is being worked on; nothing that asks the model is answered from now on.
  void stop();
  // For /metrics; before the first request.
  void set_connection_count(std::function<std::size_t()> count) { connection_count_ = std::move(count); }

 private:
  struct Endpoint;
  static const std::vector<Endpoint>& endpoints();
  static std::vector<std::string> paths();
  static const Endpoint* find(const HttpRequest& request);

  // Throw HttpError.
  static void check_method(const HttpRequest& request);
  static void check_body(const HttpRequest& request);
  void check_host(const HttpRequest& request) const;
  void check_token(const HttpRequest& request) const;
  void check_origin(const HttpRequest& request) const;
  // Calls `respond` or throws.
  void answer_or_throw(HttpRequest& request, const Respond& respond);
  void reload_and_answer(const HttpRequest& request, const Respond& respond);

  HttpResponse health(const HttpRequest& request);
  HttpResponse readiness(const HttpRequest& request);
  HttpResponse description(const HttpRequest& request);
  HttpResponse metrics_page(const HttpRequest& request);
  HttpResponse documentation(const HttpRequest& request);
  std::string try_to_reload();  // why not, or ""

  ModelHolder& models_;
  const Setup setup_;
  const Context& context_;
  const AskLimits limits_;
  const std::string openapi_;
  const std::string docs_;
  std::atomic<bool> ready_{true};
  std::function<std::size_t()> connection_count_ = [] { return std::size_t{0}; };
  std::mutex log_mutex_;  // the context's log is called from one thread at a time
  AccessLog access_log_;
  Metrics metrics_;
  Workers workers_;
  QuestionBatcher batcher_{workers_};
  Workers slow_workers_;
  Workers reload_workers_;
};

}  // namespace greenkgc::server
