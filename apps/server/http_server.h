#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "server/connections.h"
#include "server/http.h"

namespace greenkgc::server {

struct HttpLimits {
  std::size_t connections = 256;
  std::size_t body_bytes = std::size_t{1} << 20;
  std::chrono::milliseconds idle_time{60'000};   // between the requests of a connection
  std::chrono::milliseconds read_time{10'000};   // of a request's head, and again of its body
  std::chrono::milliseconds write_time{30'000};  // until the client has taken a response
};

// HTTP/1.1 over TCP: cpp-httplib reads requests and writes responses, the rest is here. Each connection has a
// thread that does nothing but wait for its client, so that one who is slow or silent holds up nobody else.
// If there are too many connections, the one whose client has been silent for longest makes room.
class HttpServer {
 public:
  // Keeps a reference to the handler.
  HttpServer(HttpHandler& handler, const HttpLimits& limits);
  ~HttpServer();  // closes all connections at once

  // Port 0 takes any that is free; returns the port. Throws kUsage for a host that is none, kIo if the system
  // refuses.
  int listen(const std::string& host, int port);
  // Takes connections until `stop`, which is asked some ten times a second, is true.
  void run(const std::function<bool()>& stop);
  // Takes no more connections, closes those that wait for a request and waits for requests that are under
  // way. False if some were left when the time was over.
  bool finish(std::chrono::milliseconds time);

  std::size_t connection_count() const { return connections_.count(); }

 private:
  class Http;
  void take_connection();

  const HttpLimits limits_;
  Connections connections_;
  std::unique_ptr<Http> http_;
  int listener_ = -1;
};

}  // namespace greenkgc::server
