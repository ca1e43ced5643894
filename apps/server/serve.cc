#include "server/serve.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "server/http_server.h"
#include "server/service.h"

namespace greenkgc::server {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

HttpLimits http_limits(const ServeOptions& options) {
  return {.connections = static_cast<std::size_t>(options.max_connections),
          .body_bytes = static_cast<std::size_t>(options.max_body_bytes),
          .idle_time = milliseconds(options.idle_seconds),
          .read_time = milliseconds(options.read_seconds)};
}

std::string address(const ServeOptions& options, int port) {
  const bool is_ipv6 = options.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", is_ipv6 ? "[" + options.host + "]" : options.host, port);
}

// Opens the model again each time that it is asked for, beside the answering of requests.
class Reloader {
 public:
  Reloader(Service& service, std::atomic<bool>& asked)
      : thread_([this, &service, &asked] {
          while (!stopping_) {
            if (asked.exchange(false)) service.reload();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  ~Reloader() {
    stopping_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace

void serve(const ServeRun& run, const ServeOptions& options, const Context& context) {
  ModelHolder models(run.model, context);
  Service service(models, {.options = options, .token = run.token}, context);
  HttpServer server(service, http_limits(options));
  service.set_connection_count([&] { return server.connection_count(); });
  const int port = server.listen(options.host, options.port);
  const Reloader reloader(service, *run.reload_asked);
  run.listening(address(options, port));

  server.run([&] { return context.cancelled(); });
  service.set_ready(false);
  const auto drained = std::chrono::steady_clock::now() + milliseconds(options.drain_seconds);
  server.run([&] { return std::chrono::steady_clock::now() >= drained; });
  if (!server.finish(milliseconds(options.shutdown_seconds)))
    context.say(LogLevel::kWarning,
                fmt::format("some requests were not answered within {:g} s", options.shutdown_seconds));
  service.stop();
}

}  // namespace greenkgc::server
