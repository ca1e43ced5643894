#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/http/http.h"

namespace greenkgc::server {

struct HttpLimits {
  std::size_t connections = 1024;
  std::size_t body_bytes = std::size_t{1} << 20;
  std::chrono::milliseconds idle_time{60'000};   // between the requests of a connection
  std::chrono::milliseconds read_time{10'000};   // of a request's head, and again of its body
  std::chrono::milliseconds write_time{30'000};  // until the client has taken a response
};

// PEM files for TLS: the server's certificate, followed by those of its issuers, and its private key.
struct TlsFiles {
  std::string certificate;  // "": plain HTTP
  std::string key;
};

// HTTP/1.1 over TCP or TLS by Boost.Beast. A few threads, each with an event loop, serve all connections, so
// that one which waits costs some memory and no thread; the handler must not block them. If there are too
// many connections, the one whose client has been silent for longest makes room.
class HttpServer {
 public:
  // Keeps a reference to the handler. Throws kBadInput for TLS files that cannot be used.
  HttpServer(HttpHandler& handler, const HttpLimits& limits, const TlsFiles& tls = {});
  ~HttpServer();  // closes all connections at once

  // Port 0 takes any that is free; returns the port. Throws kUsage for a host that is none, kIo if the system
  // refuses.
  int listen(const std::string& host, int port);
  // Reads the TLS files again, for connections that come from now on. Throws as the constructor does, and all
  // stays as it is.
  void reload_tls();
  // Serves until `stop`, which is asked some fifty times a second, is true. Connections are taken from
  // `listen` on; between two calls they are served, too.
  void run(const std::function<bool()>& stop);
  // Takes no more connections, closes those that wait for a request and waits for requests that are under
  // way. False if some were left when the time was over.
  bool finish(std::chrono::milliseconds time);

  std::size_t connection_count() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace greenkgc::server
