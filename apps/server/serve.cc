#include "server/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "greenkgc/error.h"
#include "server/http/http_server.h"
#include "server/service.h"

namespace greenkgc::server {
namespace {

// Descriptors besides those of connections: the model, logs, event loops, connections that are ending.
constexpr rlim_t kOtherFiles = 64;

HttpLimits http_limits(const ServeOptions& options, std::size_t connections) {
  return {.connections = connections,
          .body_bytes = static_cast<std::size_t>(options.max_body_bytes),
          .idle_time = milliseconds(options.idle_seconds),
          .read_time = milliseconds(options.read_seconds)};
}

// Raises the limit of open files as far as it goes; says so if that is not far enough. Returns how many
// connections fit.
std::size_t connections_that_fit(std::int64_t wanted, const Context& context) {
  const auto needed = static_cast<rlim_t>(wanted) + kOtherFiles;
  struct rlimit files {};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= needed)
    return static_cast<std::size_t>(wanted);
  files.rlim_cur = std::min(needed, files.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &files);
  ::getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur >= needed) return static_cast<std::size_t>(wanted);
  const rlim_t fitting = files.rlim_cur > 2 * kOtherFiles ? files.rlim_cur - kOtherFiles : files.rlim_cur / 2;
  context.say(LogLevel::kWarning,
              fmt::format("--max-connections {} does not fit into the limit of {} open files: at most {} "
                          "connections are served; raise the limit (ulimit -Hn, LimitNOFILE=) for more",
                          wanted, files.rlim_cur, fitting));
  return static_cast<std::size_t>(fitting);
}

TlsFiles tls_files(const ServeOptions& options) {
  if (options.tls_certificate.empty() != options.tls_key.empty())
    throw Error(ErrorCode::kUsage,
                fmt::format("--tls-certificate and --tls-key belong together; {} is missing",
                            options.tls_key.empty() ? "--tls-key" : "--tls-certificate"));
  return {options.tls_certificate, options.tls_key};
}

std::string address(const ServeOptions& options, int port) {
  const bool is_ipv6 = options.host.find(':') != std::string::npos;
  const char* scheme = options.tls_certificate.empty() ? "http" : "https";
  return fmt::format("{}://{}:{}", scheme, is_ipv6 ? "[" + options.host + "]" : options.host, port);
}

// Reads the files again each time that it is asked for, beside the answering of requests.
class Reloader {
 public:
  Reloader(Service& service, HttpServer& server, std::atomic<bool>& asked)
      : thread_([this, &service, &server, &asked] {
          while (!stopping_) {
            if (asked.exchange(false)) {
              reload_tls(service, server);
              service.reload();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  ~Reloader() {
    stopping_ = true;
    thread_.join();
  }

 private:
  static void reload_tls(Service& service, HttpServer& server) {
    try {
      server.reload_tls();
    } catch (const std::exception& error) {
      service.warn(fmt::format("the certificate was not replaced: {}", error.what()));
    }
  }

  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace

void serve(const ServeRun& run, const ServeOptions& options, const Context& context) {
  const TlsFiles tls = tls_files(options);
  const std::size_t connections = connections_that_fit(options.max_connections, context);
  ModelHolder models(run.model, context);
  Service service(models, {.options = options, .token = run.token}, context);
  HttpServer server(service, http_limits(options, connections), tls);
  service.set_connection_count([&] { return server.connection_count(); });
  const int port = server.listen(options.host, options.port);
  const Reloader reloader(service, server, *run.reload_asked);
  if (run.token.empty() && !is_loopback(options.host))
    context.say(LogLevel::kWarning, "whoever reaches this machine may ask: there is no token");
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
