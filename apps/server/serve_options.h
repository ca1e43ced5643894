#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "greenkgc/options.h"

namespace greenkgc::server {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::vector<std::string> allow_host;
  std::string token_file;
  std::string tls_certificate;
  std::string tls_key;
  std::string access_log = "-";
  std::int64_t max_k = 1000;
  std::int64_t max_batch = 1000;
  std::int64_t max_answers = 100'000;
  std::int64_t max_queries = 5000;
  std::int64_t max_body_bytes = std::int64_t{1} << 20;
  std::int64_t max_connections = 1024;
  std::int64_t max_waiting = 128;
  double max_seconds = 30;
  double read_seconds = 10;
  double idle_seconds = 60;
  double drain_seconds = 0;
  double shutdown_seconds = 10;

  static void declare(OptionList<ServeOptions>& o) {
    o.add("host", &ServeOptions::host,
          "address to listen on; with any address but a loopback one, other machines can send requests");
    o.add("port", &ServeOptions::port, "port to listen on; 0: any free port", {.min = 0, .max = 65535});
    o.add("allow_host", &ServeOptions::allow_host,
          "further names that a request may have in its Host header while the server listens on loopback "
          "without a token; any other name gets 421, because another site's web page may have sent the "
          "request");
    o.add("token_file", &ServeOptions::token_file,
          "file whose first line is the token that every request to /v1 and /metrics must send "
          "(Authorization: Bearer TOKEN); the environment variable GREENKGC_TOKEN does the same");
    o.add("tls_certificate", &ServeOptions::tls_certificate,
          "PEM file with the server's certificate, followed by its issuers' certificates; the server then "
          "speaks HTTPS (TLS 1.2 and newer), and SIGHUP makes it read the file again; needs --tls-key");
    o.add("tls_key", &ServeOptions::tls_key,
          "PEM file with the certificate's private key, without a password");
    o.add("access_log", &ServeOptions::access_log,
          "file to which the server writes a line of JSON for each request; SIGHUP makes it open the file "
          "again; -: standard output; none: no log");
    o.add("max_k", &ServeOptions::max_k,
          "maximum number of answers to one query; a request for more gets 422", {.min = 1, .max = 1e6});
    o.add("max_batch", &ServeOptions::max_batch,
          "maximum number of queries in one request; a request with more gets 422", {.min = 1, .max = 1e6});
    o.add("max_answers", &ServeOptions::max_answers,
          "maximum number of answers in one response, over all of its queries; a request for more gets 422. "
          "More: more memory per request",
          {.min = 1, .max = 1e9});
    o.add(
        "max_queries", &ServeOptions::max_queries,
        "maximum number of queries (h, r, ?) that one request for new facts asks, those most likely to have "
        "a missing answer first; the response says how many are left out. More: more complete lists, and "
        "more time for each (a query takes about a millisecond)",
        {.min = 1, .max = 1e9});
    o.add("max_body_bytes", &ServeOptions::max_body_bytes,
          "maximum size of a request's body, in bytes; a larger body gets 413", {.min = 1024, .max = 1e9});
    o.add(
        "max_connections", &ServeOptions::max_connections,
        "maximum number of open connections; beyond it, the server closes the connection that has been idle "
        "for longest, and if none is idle, the new one gets 503. Each connection needs a file descriptor "
        "(ulimit -n)",
        {.min = 1, .max = 1e6});
    o.add("max_waiting", &ServeOptions::max_waiting,
          "maximum number of requests in the queue for a thread (--threads are worked on at once); a request "
          "beyond it gets 503",
          {.min = 1, .max = 1e6});
    o.add("max_seconds", &ServeOptions::max_seconds,
          "maximum time for a response, in seconds, including the time in the queue; a request that takes "
          "longer gets 504",
          {.min = 0.001, .max = 86400});
    o.add("read_seconds", &ServeOptions::read_seconds,
          "maximum time for a client to send the head of a request, and again its body, in seconds; a slower "
          "request gets 408",
          {.min = 0.01, .max = 86400});
    o.add("idle_seconds", &ServeOptions::idle_seconds,
          "time after which the server closes a connection that has no request, in seconds",
          {.min = 0.01, .max = 86400});
    o.add("drain_seconds", &ServeOptions::drain_seconds,
          "time for which the server continues to answer after SIGTERM, in seconds; /readyz returns 503 "
          "meanwhile, so that load balancers send their requests elsewhere",
          {.min = 0, .max = 86400});
    o.add("shutdown_seconds", &ServeOptions::shutdown_seconds,
          "maximum time to finish the requests under way once that time is over, in seconds",
          {.min = 0, .max = 86400});
  }
};

// A time of these options.
inline std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace greenkgc::server
