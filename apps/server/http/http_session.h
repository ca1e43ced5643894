#pragma once

// Includes Boost.Asio: for http_server.cc and http_session.cc alone.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <thread>

#include "server/http/connection_list.h"
#include "server/http/http.h"
#include "server/http/http_server.h"

struct ssl_ctx_st;  // SSL_CTX

namespace greenkgc::server {

// An event loop and its thread. All that happens to a connection happens in the thread of its loop.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();  // stops

  // Drops what is pending and waits for the thread's end.
  void stop();
  boost::asio::io_context& context() { return context_; }

 private:
  // A hint of one thread lets Asio skip some locks; others may still post.
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

// What the sessions of a server share.
struct SessionSetup {
  HttpHandler& handler;
  const HttpLimits& limits;
  ConnectionList& list;
};

// One connection and its requests, one after another. It removes itself from the list when it is closed.
class HttpSession : public Connection {
 public:
  // Called once, in any thread, when the session is in the list.
  virtual void start() = 0;
};

// Both run in the given loop, whose context the socket belongs to. `tls` null: plain HTTP.
std::shared_ptr<HttpSession> make_session(const SessionSetup& setup, std::shared_ptr<EventLoop> loop,
                                          boost::asio::ip::tcp::socket socket,
                                          const std::shared_ptr<ssl_ctx_st>& tls);

// A response's bytes up to its body.
enum class AfterResponse { kClose, kKeepAlive };
std::string response_head(const HttpResponse& response, AfterResponse after, const HttpLimits& limits);

}  // namespace greenkgc::server
