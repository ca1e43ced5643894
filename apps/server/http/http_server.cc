#include "server/http/http_server.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "greenkgc/error.h"
#include "server/http/connection_list.h"
#include "server/http/http_session.h"
#include "server/http/tls_context.h"

namespace greenkgc::server {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

namespace {

// Parsing and sending take some ten microseconds of a request; a second loop keeps the others going while one
// shakes hands for TLS.
constexpr std::size_t kLoops = 2;
constexpr std::chrono::milliseconds kPoll{20};
constexpr std::chrono::milliseconds kAfterFailedAccept{10};

std::vector<std::shared_ptr<EventLoop>> make_loops() {
  std::vector<std::shared_ptr<EventLoop>> loops;
  for (std::size_t i = 0; i < kLoops; ++i) loops.push_back(std::make_shared<EventLoop>());
  return loops;
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpHandler& handler, const HttpLimits& limits, const TlsFiles& files)
      : handler_(handler), limits_(limits), tls_files_(files) {
    if (!tls_files_.certificate.empty()) tls_ = make_tls_context(tls_files_);
  }

  ~Impl() {
    in_acceptors_loop([this] { close_acceptor(); });
    list_.end_all();
    while (!list_.wait_until_none(std::chrono::seconds(1))) {
    }
    for (const auto& loop : loops_) loop->stop();
  }

  int listen(const std::string& host, int port) {
    const std::string name = fmt::format("{} port {}", host, port);
    error_code error;
    tcp::resolver resolver(loops_[0]->context());
    const auto found = resolver.resolve(host, std::to_string(port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service, error);
    if (error || found.empty())
      throw Error(ErrorCode::kUsage, fmt::format("cannot listen on {}: {}", name, error.message()));
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
    if (error) throw Error(ErrorCode::kIo, fmt::format("cannot listen on {}: {}", name, error.message()));
    const int bound = acceptor_.local_endpoint().port();
    net::post(loops_[0]->context(), [this] { accept_next(); });
    return bound;
  }

  void reload_tls() {
    if (tls_files_.certificate.empty()) return;
    auto fresh = make_tls_context(tls_files_);
    const std::lock_guard lock(tls_mutex_);
    tls_.swap(fresh);
  }

  bool finish(std::chrono::milliseconds time) {
    in_acceptors_loop([this] {
      take_backlog();
      close_acceptor();
    });
    list_.finish();
    return list_.wait_until_none(time);
  }

  std::size_t connection_count() const { return list_.count(); }

 private:
  // Waits for it, too.
  void in_acceptors_loop(const std::function<void()>& call) {
    std::promise<void> done;
    net::post(loops_[0]->context(), [&] {
      call();
      done.set_value();
    });
    done.get_future().wait();
  }

  // ---- What follows runs in the first loop's thread. ----

  void accept_next() {
    if (!acceptor_.is_open()) return;
    const std::shared_ptr<EventLoop> loop = next_loop();
    acceptor_.async_accept(loop->context(), [this, loop](error_code error, tcp::socket socket) {
      if (!acceptor_.is_open()) return;
      if (!error) take(loop, std::move(socket));
      if (!error || error == net::error::connection_aborted) return accept_next();
      // Whatever it is (no descriptors are left), it passes; but not by trying at once.
      pause_.expires_after(kAfterFailedAccept);
      pause_.async_wait([this](error_code stopped) {
        if (!stopped) accept_next();
      });
    });
  }

  // Connections that the system has taken already may have sent their request.
  void take_backlog() {
    error_code error;
    if (acceptor_.is_open()) acceptor_.non_blocking(true, error);
    while (acceptor_.is_open() && !error) {
      const std::shared_ptr<EventLoop> loop = next_loop();
      tcp::socket socket = acceptor_.accept(loop->context(), error);
      if (!error) take(loop, std::move(socket));
    }
  }

  void close_acceptor() {
    error_code ignored;
    pause_.cancel();
    acceptor_.close(ignored);
  }

  std::shared_ptr<EventLoop> next_loop() { return loops_[accepted_++ % loops_.size()]; }

  void take(const std::shared_ptr<EventLoop>& loop, tcp::socket socket) {
    try {
      const auto tls = current_tls();
      if (!list_.has_room(limits_.connections)) return turn_away(std::move(socket), tls != nullptr);
      const auto session = make_session({handler_, limits_, list_}, loop, std::move(socket), tls);
      if (list_.add(session, limits_.connections)) session->start();
    } catch (
        const std::exception&) {  // no memory, or the client is gone: this connection ends, the others go on
    }
  }

  void turn_away(tcp::socket socket, bool is_tls) const {
    if (is_tls) return;  // it could not read a word before the handshake
    const HttpResponse sorry = error_response(
        503, "too_many_connections", fmt::format("all {} connections are in use", limits_.connections));
    const std::string text = response_head(sorry, AfterResponse::kClose, limits_) + sorry.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(net::buffer(text), ignored);
  }

  std::shared_ptr<ssl_ctx_st> current_tls() {
    const std::lock_guard lock(tls_mutex_);
    return tls_;
  }

  HttpHandler& handler_;
  const HttpLimits limits_;
  const TlsFiles tls_files_;
  std::mutex tls_mutex_;  // guards tls_
  std::shared_ptr<ssl_ctx_st> tls_;
  ConnectionList list_;
  // Answers that come late hold their session's loop.
  const std::vector<std::shared_ptr<EventLoop>> loops_ = make_loops();
  tcp::acceptor acceptor_{loops_[0]->context()};
  net::steady_timer pause_{loops_[0]->context()};
  std::size_t accepted_ = 0;
};

HttpServer::HttpServer(HttpHandler& handler, const HttpLimits& limits, const TlsFiles& tls)
    : impl_(std::make_unique<Impl>(handler, limits, tls)) {}

HttpServer::~HttpServer() = default;

int HttpServer::listen(const std::string& host, int port) {
  return impl_->listen(host, port);
}

void HttpServer::reload_tls() {
  impl_->reload_tls();
}

void HttpServer::run(const std::function<bool()>& stop) {
  while (!stop()) std::this_thread::sleep_for(kPoll);
}

bool HttpServer::finish(std::chrono::milliseconds time) {
  return impl_->finish(time);
}

std::size_t HttpServer::connection_count() const {
  return impl_->connection_count();
}

}  // namespace greenkgc::server
