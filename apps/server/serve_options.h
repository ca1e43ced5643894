#pragma once

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
          "address to listen on; anything but a loopback address lets other machines ask");
    o.add("port", &ServeOptions::port, "port to listen on; 0 is any that is free", {.min = 0, .max = 65535});
    o.add(
        "allow_host", &ServeOptions::allow_host,
        "names that requests may give as Host, besides this machine's own, while it listens to this machine "
        "alone and needs no token; others get 421, for a page from elsewhere may have sent them");
    o.add("token_file", &ServeOptions::token_file,
          "file whose first line every request to /v1 and /metrics must bring (Authorization: Bearer); the "
          "environment variable GREENKGC_TOKEN does the same");
    o.add(
        "tls_certificate", &ServeOptions::tls_certificate,
        "PEM file with the server's certificate, followed by those of its issuers: serve HTTPS (TLS 1.2 and "
        "newer); read again at SIGHUP; needs --tls-key");
    o.add("tls_key", &ServeOptions::tls_key,
          "PEM file with the certificate's private key, without a password");
    o.add("access_log", &ServeOptions::access_log,
          "file that gets a JSON line for each request, opened again at SIGHUP; - is standard output, none "
          "is no log");
    o.add("max_k", &ServeOptions::max_k, "the most answers that one question may ask for; more: 422",
          {.min = 1, .max = 1e6});
    o.add("max_batch", &ServeOptions::max_batch, "the most questions in one request; more: 422",
          {.min = 1, .max = 1e6});
    o.add("max_answers", &ServeOptions::max_answers,
          "the most answers in one response, over all questions; more: 422; memory grows with it",
          {.min = 1, .max = 1e9});
    o.add("max_body_bytes", &ServeOptions::max_body_bytes, "the longest body of a request; longer: 413",
          {.min = 1024, .max = 1e9});
    o.add("max_connections", &ServeOptions::max_connections,
          "clients at once; beyond that, the one who has been silent for longest is dropped, and if none is, "
          "the new one gets 503; each needs a file descriptor (ulimit -n)",
          {.min = 1, .max = 1e6});
    o.add("max_waiting", &ServeOptions::max_waiting,
          "requests that wait for a thread (--threads work at once); beyond that: 503",
          {.min = 1, .max = 1e6});
    o.add("max_seconds", &ServeOptions::max_seconds, "for an answer, waiting included; longer: 504",
          {.min = 0.001, .max = 86400});
    o.add("read_seconds", &ServeOptions::read_seconds,
          "for a client to send the head of a request, and again its body; longer: 408",
          {.min = 0.01, .max = 86400});
    o.add("idle_seconds", &ServeOptions::idle_seconds,
          "that a connection may stay open without a request; then it is closed",
          {.min = 0.01, .max = 86400});
    o.add("drain_seconds", &ServeOptions::drain_seconds,
          "after SIGTERM: go on for so long, saying by /readyz that no more should come",
          {.min = 0, .max = 86400});
    o.add("shutdown_seconds", &ServeOptions::shutdown_seconds,
          "after that: the longest wait for requests that are under way", {.min = 0, .max = 86400});
  }
};

}  // namespace greenkgc::server
