// A session reads bytes, has Beast's parser make requests of them, and writes responses. Its states follow
// one another: handshake (TLS) -> waiting -> head -> body -> busy (the handler has the request) -> writing ->
// waiting or closing. Exactly one read or write is under way at a time, none while busy.
//
// Time is bounded in two ways. Where a client that is too slow is dropped without a word (handshake, waiting,
// writing, closing), the stream's own expiry closes the socket. Where it gets a 408 (head, body), the socket
// must survive, so a timer of ours cancels the read instead.
#include "server/http/http_session.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "server/http/http_refusals.h"

namespace greenkgc::server {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using beast::error_code;
using net::ip::tcp;

namespace {

using Clock = std::chrono::steady_clock;
using TlsStream = net::ssl::stream<beast::tcp_stream>;

constexpr std::size_t kChunkOverhead = 65536;  // bytes of a body besides its content
constexpr std::size_t kFirstRead = 1024;       // what a connection that waits holds
constexpr std::size_t kNextRead = 16384;
constexpr std::size_t kMostBuffered = kMostHeadBytes + 2 * kNextRead;
constexpr std::size_t kMostKept = 4096;  // of a buffer, between requests
constexpr std::size_t kMostDrained = std::size_t{4} << 20;
constexpr std::chrono::seconds kMostLinger{1};
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

template <class Stream>
class Session final : public HttpSession, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <class... StreamArguments>
  Session(const SessionSetup& setup, std::shared_ptr<EventLoop> loop, std::string remote_address,
          StreamArguments&&... arguments)
      : setup_(setup),
        loop_(std::move(loop)),
        remote_address_(std::move(remote_address)),
        stream_(std::forward<StreamArguments>(arguments)...),
        timer_(loop_->context()) {}

  void start() override { post(&Session::begin); }
  void end_soon() override { post(&Session::stop_reading); }
  void end_now() override { post(&Session::close); }

 private:
  using Parser = http::request_parser<http::string_body>;
  static constexpr bool kIsTls = std::is_same_v<Stream, TlsStream>;

  // ---- What follows runs in the loop's thread. ----

  // A handler that calls a member with the session kept alive. If memory runs out, this connection ends and
  // the others go on.
  template <class Member>
  auto then(Member member) {
    return [self = this->shared_from_this(), member](auto&&... arguments) {
      try {
        ((*self).*member)(std::forward<decltype(arguments)>(arguments)...);
      } catch (const std::exception&) {
        self->close();
      }
    };
  }

  template <class Member>
  void post(Member member) {
    net::post(loop_->context(), then(member));
  }

  beast::tcp_stream& transport() { return beast::get_lowest_layer(stream_); }

  void begin() {
    if constexpr (kIsTls) {
      transport().expires_after(setup_.limits.read_time);
      stream_.async_handshake(net::ssl::stream_base::server, then(&Session::on_handshake));
    } else {
      wait_for_request();
    }
  }

  void on_handshake(error_code error) {
    if (error) return close();
    wait_for_request();
  }

  void stop_reading() {
    ending_ = true;
    error_code ignored;
    transport().socket().shutdown(tcp::socket::shutdown_receive, ignored);
  }

  void wait_for_request() {
    setup_.list.set_waiting(*this);
    parser_.reset();
    request_ = {};
    if (buffer_.size() > 0) return begin_head();  // it was sent ahead
    if (buffer_.capacity() > kMostKept) buffer_ = beast::flat_buffer(kMostBuffered);
    transport().expires_after(setup_.limits.idle_time);
    stream_.async_read_some(buffer_.prepare(kFirstRead), then(&Session::on_first_bytes));
  }

  void on_first_bytes(error_code error, std::size_t count) {
    if (error) return close();
    buffer_.commit(count);
    begin_head();
  }

  void begin_head() {
    began_ = Clock::now();
    complete_ = false;
    keep_alive_ = true;
    body_bytes_ = 0;
    parser_.emplace();
    parser_->header_limit(kMostHeadBytes);
    parser_->body_limit(setup_.limits.body_bytes);
    begin_reading();
    parse();
  }

  // A head or a body has the same time from now on.
  void begin_reading() {
    disarm();
    read_until_ = Clock::now() + setup_.limits.read_time;
  }

  void parse() {
    while (buffer_.size() > 0) {
      const bool in_head = !parser_->is_header_done();
      error_code error;
      const std::size_t count = parser_->put(buffer_.data(), error);
      buffer_.consume(count);
      if (!in_head) body_bytes_ += count;
      if (error == http::error::need_more) break;
      if (error) return refuse(parse_failure(error, unread(), setup_.limits));
      if (body_bytes_ > setup_.limits.body_bytes + kChunkOverhead)
        return refuse(body_too_long(setup_.limits));
      if (in_head && parser_->is_header_done() && !on_head()) return;
      if (parser_->is_done()) return answer();
    }
    read_more();
  }

  std::string_view unread() const {
    const auto bytes = buffer_.data();
    return {static_cast<const char*>(bytes.data()), bytes.size()};
  }

  void read_more() {
    if (buffer_.size() + kNextRead > buffer_.max_size())  // of a chunk's or a trailer's line
      return refuse(parser_->is_header_done() ? body_too_long(setup_.limits) : head_too_long());
    arm();
    transport().expires_never();
    stream_.async_read_some(buffer_.prepare(kNextRead), then(&Session::on_bytes));
  }

  void on_bytes(error_code error, std::size_t count) {
    buffer_.commit(count);
    if (!error) return parse();
    const char* what = parser_->is_header_done() ? "body" : "request";
    if (late_) return refuse(too_slow(what, setup_.limits));
    const bool ended = error == net::error::eof || error == net::ssl::error::stream_truncated;
    if (!ended || ending_) return close();
    refuse(no_http());
  }

  void arm() {
    if (armed_) return;
    armed_ = true;
    timer_.expires_at(read_until_);
    timer_.async_wait([self = this->shared_from_this(), id = timer_id_](error_code error) {
      if (error || id != self->timer_id_) return;
      self->late_ = true;
      self->transport().cancel();
    });
  }

  void disarm() {
    late_ = false;
    if (!armed_) return;
    armed_ = false;
    ++timer_id_;  // its call may be on the way already
    timer_.cancel();
  }

  // The head is read. False if that is all: the request was refused, or the client waits for a "go on".
  bool on_head() {
    const auto& message = parser_->get();
    read_request(message);
    keep_alive_ = message.keep_alive();
    complete_ = parser_->is_done();
    auto refusal = misframed(message, complete_);
    if (refusal) {
      complete_ = false;
    } else {
      refusal = setup_.handler.refusal(request_);
      // Its body may follow all the same.
      if (refusal && refusal->status == 411) complete_ = false;
    }
    if (refusal) {
      respond(std::move(*refusal));
      return false;
    }
    begin_reading();
    if (complete_ || buffer_.size() > 0 || !beast::iequals(message[http::field::expect], "100-continue"))
      return true;
    transport().expires_after(setup_.limits.write_time);
    net::async_write(stream_, net::buffer(kContinue), then(&Session::on_continued));
    return false;
  }

  void on_continued(error_code error, std::size_t) {
    if (error) return close();
    read_more();
  }

  template <class Message>
  void read_request(const Message& message) {
    Target target = parse_target({message.target().data(), message.target().size()});
    request_ = {.method = text_of(message.method_string()),
                .path = std::move(target.path),
                .parameters = std::move(target.parameters),
                .without_length = message.method() == http::verb::post &&
                                  message.count(http::field::content_length) == 0 &&
                                  message.count(http::field::transfer_encoding) == 0,
                .remote_address = remote_address_,
                .host = text_of(message[http::field::host]),
                .origin = text_of(message[http::field::origin]),
                .content_type = text_of(message[http::field::content_type]),
                .authorization = text_of(message[http::field::authorization]),
                .accept_encoding = text_of(message[http::field::accept_encoding]),
                .user_agent = text_of(message[http::field::user_agent])};
  }

  void answer() {
    disarm();
    complete_ = true;
    request_.body = std::move(parser_->get().body());
    parser_.reset();
    setup_.list.set_busy(*this);
    // The answer may come after the session, and even the server, are gone.
    setup_.handler.answer(request_, [weak = this->weak_from_this(), loop = loop_](HttpResponse response) {
      net::post(loop->context(), [weak, response = std::move(response)]() mutable {
        if (const auto self = weak.lock()) self->on_answer(std::move(response));
      });
    });
  }

  void on_answer(HttpResponse response) {
    if (closed_) return;
    try {
      respond(std::move(response));
    } catch (const std::exception&) {
      close();
    }
  }

  // With what is left to say about a request that was not read to its end.
  void refuse(HttpResponse response) {
    complete_ = false;
    respond(std::move(response));
  }

  void respond(HttpResponse response) {
    disarm();
    response_ = std::move(response);
    const bool closes = !complete_ || !keep_alive_ || ending_ || setup_.list.finishing();
    after_ = closes ? AfterResponse::kClose : AfterResponse::kKeepAlive;
    out_ = response_head(response_, after_, setup_.limits);
    if (request_.method != "HEAD") out_ += response_.body;
    transport().expires_after(setup_.limits.write_time);
    net::async_write(stream_, net::buffer(out_), then(&Session::on_written));
  }

  void on_written(error_code error, std::size_t) {
    out_ = {};
    const std::chrono::duration<double> seconds = Clock::now() - began_;
    setup_.handler.sent(request_, response_, seconds.count());
    if (error) return close();
    if (after_ == AfterResponse::kClose) return linger();
    wait_for_request();
  }

  // Lets the client read what was written before the connection is closed: takes a little more of what it
  // still sends, for closing with unread bytes would take our last words away.
  void linger() {
    setup_.list.set_waiting(*this);  // and may be dropped for another
    transport().expires_after(kMostLinger);
    if constexpr (kIsTls) {
      stream_.async_shutdown(then(&Session::on_tls_shutdown));
    } else {
      drain();
    }
  }

  void on_tls_shutdown(error_code) { drain(); }

  void drain() {
    error_code ignored;
    transport().socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    transport().async_read_some(buffer_.prepare(kNextRead), then(&Session::on_drained));
  }

  void on_drained(error_code error, std::size_t count) {
    drained_ += count;
    if (error || drained_ > kMostDrained) return close();
    transport().async_read_some(buffer_.prepare(kNextRead), then(&Session::on_drained));
  }

  void close() {
    if (closed_) return;
    closed_ = true;
    disarm();
    transport().close();
    setup_.list.remove(*this);
  }

  const SessionSetup setup_;
  const std::shared_ptr<EventLoop> loop_;
  const std::string remote_address_;
  Stream stream_;
  beast::flat_buffer buffer_{kMostBuffered};  // read, but not parsed yet
  std::optional<Parser> parser_;              // of the request that is being read

  net::steady_timer timer_;  // of a head or a body
  Clock::time_point read_until_;
  unsigned timer_id_ = 0;
  bool armed_ = false;
  bool late_ = false;

  HttpRequest request_;
  HttpResponse response_;
  std::string out_;  // the response's bytes
  Clock::time_point began_;
  std::size_t body_bytes_ = 0;  // of the body, chunk lines included
  bool complete_ = false;       // the request was read to its end
  bool keep_alive_ = true;      // as the client wants it
  AfterResponse after_ = AfterResponse::kClose;

  bool ending_ = false;  // what has come is answered, no more is waited for
  bool closed_ = false;
  std::size_t drained_ = 0;
};

}  // namespace

EventLoop::EventLoop() : work_(context_.get_executor()), thread_([this] { context_.run(); }) {}

EventLoop::~EventLoop() {
  stop();
}

void EventLoop::stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  // Operations that were cancelled are still queued, and they own their sessions, which own this loop: their
  // handlers run now, or nothing of it would ever be freed.
  context_.restart();
  context_.poll();
}

std::string response_head(const HttpResponse& response, AfterResponse after, const HttpLimits& limits) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n", response.status,
                  text_of(http::obsolete_reason(static_cast<http::status>(response.status))),
                  response.content_type, response.body.size());
  text += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (after == AfterResponse::kClose) return text + "Connection: close\r\n\r\n";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits.idle_time).count();
  return text + fmt::format("Keep-Alive: timeout={}\r\n\r\n", seconds);
}

std::shared_ptr<HttpSession> make_session(const SessionSetup& setup, std::shared_ptr<EventLoop> loop,
                                          tcp::socket socket, const std::shared_ptr<ssl_ctx_st>& tls) {
  error_code error;
  const auto peer = socket.remote_endpoint(error);
  std::string address = error ? "" : peer.address().to_string();
  socket.set_option(tcp::no_delay(true), error);
  if (tls == nullptr)
    return std::make_shared<Session<beast::tcp_stream>>(setup, std::move(loop), std::move(address),
                                                        std::move(socket));
  ::SSL_CTX_up_ref(tls.get());
  net::ssl::context context(tls.get());  // releases it; the stream takes a reference of its own
  return std::make_shared<Session<TlsStream>>(setup, std::move(loop), std::move(address),
                                              beast::tcp_stream(std::move(socket)), context);
}

}  // namespace greenkgc::server
