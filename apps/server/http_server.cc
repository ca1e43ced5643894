#include "server/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <thread>

#include "greenkgc/error.h"
#include "server/guarded_stream.h"

namespace greenkgc::server {
namespace {

constexpr std::size_t kMostHeadBytes = 16384;
constexpr std::size_t kChunkOverhead = 65536;  // bytes of a body besides its content
constexpr int kBacklog = 1024;
constexpr int kPollMilliseconds = 50;

using Fault = GuardedStream::Fault;

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// One request and what becomes of it.
struct Exchange {
  GuardedStream* stream = nullptr;
  int descriptor = -1;
  HttpRequest request;
  HttpResponse response;
  bool understood = false;  // the head was read
  bool complete = false;    // and there is no body, or it was read to its end
  GuardedStream::Clock::time_point began;
};

// cpp-httplib's callbacks have no place for it; a connection has a thread of its own.
thread_local Exchange* current = nullptr;

const char* reason(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

// What is left to say about a request whose bytes ended too early.
HttpResponse fault_response(Fault fault, bool in_head, const HttpLimits& limits) {
  const double seconds = std::chrono::duration<double>(limits.read_time).count();
  if (fault == Fault::kTooLong)
    return in_head ? error_response(
                         431, "head_too_long",
                         fmt::format("a request's line and headers have at most {} bytes", kMostHeadBytes))
                   : error_response(413, "body_too_long",
                                    fmt::format("a request's body has at most {} bytes", limits.body_bytes));
  if (fault == Fault::kSlow)
    return error_response(
        408, "too_slow",
        fmt::format("the {} did not come within {:g} s", in_head ? "request" : "body", seconds));
  return error_response(400, "malformed", "this is no HTTP request, or it ends too early");
}

}  // namespace

// The part of cpp-httplib that is used: one request after another from a stream.
class HttpServer::Http final : public httplib::Server {
 public:
  Http(HttpHandler& handler, const HttpLimits& limits, Connections& connections)
      : handler_(handler), limits_(limits), connections_(connections) {
    set_default_headers({{"X-Content-Type-Options", "nosniff"}});
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return begin(request, response);
    });
    // All paths are "/" by now: see setup.
    Post("/",
         [this](const httplib::Request& request, httplib::Response& response) { finish(request, response); });
    set_expect_100_continue_handler([this](const httplib::Request& request, httplib::Response& response) {
      const auto refusal = refused(request);
      if (!refusal) return 100;
      put(*refusal, response);
      return refusal->status;
    });
    set_error_handler([this](const httplib::Request&, httplib::Response& response) { complain(response); });
    set_post_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      say_whether_it_closes(request, response);
    });
  }

  void serve(GuardedStream& stream, int descriptor) {
    for (;;) {
      connections_.set_waiting(descriptor);
      if (!stream.wait(limits_.idle_time)) return;
      Exchange exchange{.stream = &stream, .descriptor = descriptor, .began = GuardedStream::Clock::now()};
      current = &exchange;
      stream.allow(kMostHeadBytes, limits_.read_time);
      bool closed = false;
      const std::size_t written = stream.written();
      const bool done = process_request(stream, connections_.finishing(), closed,
                                        [&](httplib::Request& request) { setup(request); });
      current = nullptr;
      if (stream.written() == written) {
        if (stream.fault() == Fault::kClosed) return;
        exchange.response = fault_response(stream.fault(), true, limits_);
        const std::string bytes = raw(exchange.response);
        stream.write(bytes.data(), bytes.size());
      }
      const std::chrono::duration<double> seconds = GuardedStream::Clock::now() - exchange.began;
      handler_.sent(exchange.request, exchange.response, seconds.count());
      if (!done || closed || !exchange.complete || connections_.finishing()) return stream.linger();
    }
  }

  static std::string raw(const HttpResponse& response) {
    return fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        response.status, reason(response.status), response.content_type, response.body.size(), response.body);
  }

 private:
  // The request's head is read. What cpp-httplib would do by itself with some headers is left out: ranges,
  // compression.
  void setup(httplib::Request& request) {
    Exchange& exchange = *current;
    exchange.understood = true;
    exchange.request = {.method = request.method,
                        .path = request.path,
                        .parameters = {request.params.begin(), request.params.end()},
                        .remote_address = request.remote_addr,
                        .host = request.get_header_value("Host"),
                        .origin = request.get_header_value("Origin"),
                        .content_type = request.get_header_value("Content-Type"),
                        .authorization = request.get_header_value("Authorization"),
                        .accept_encoding = request.get_header_value("Accept-Encoding"),
                        .user_agent = request.get_header_value("User-Agent")};
    request.path = "/";
    request.ranges.clear();
    request.headers.erase("Accept-Encoding");
    exchange.stream->allow(limits_.body_bytes + kChunkOverhead, limits_.read_time);
  }

  // Why its body is not read, if so.
  std::optional<HttpResponse> refused(const httplib::Request& request) {
    if (auto response = misframed(request)) return response;
    return handler_.refusal(current->request);
  }

  // Where a request ends must be beyond doubt, for the next one begins there.
  std::optional<HttpResponse> misframed(const httplib::Request& request) const {
    const auto lengths = request.get_header_value_count("Content-Length");
    const auto codings = request.get_header_value_count("Transfer-Encoding");
    const std::string length = request.get_header_value("Content-Length");
    std::uint64_t bytes = 0;
    if (lengths > 0) {
      const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
      if (error == std::errc::result_out_of_range) {
        bytes = limits_.body_bytes + 1;
      } else if (error != std::errc() || end != length.data() + length.size()) {
        return error_response(400, "malformed", "Content-Length is not a number");
      }
    }
    if (lengths + codings > 1)
      return error_response(400, "malformed", "a request has one Content-Length or one Transfer-Encoding");
    if (codings > 0 && !same_letters(request.get_header_value("Transfer-Encoding"), "chunked"))
      return error_response(501, "not_implemented", "of transfer encodings, this server knows chunked alone");
    if (bytes > limits_.body_bytes) return fault_response(Fault::kTooLong, false, limits_);
    if (request.method == "POST") {
      if (lengths + codings == 0)
        return error_response(411, "length_required", "a POST says how long its body is: Content-Length");
      if (!request.get_header_value("Content-Encoding").empty())
        return error_response(415, "compressed", "bodies of requests are not compressed here");
    } else {
      current->complete = bytes == 0 && codings == 0;
      if (!current->complete)
        return error_response(400, "unexpected_body", fmt::format("a {} has no body", request.method));
    }
    return std::nullopt;
  }

  HandlerResponse begin(const httplib::Request& request, httplib::Response& response) {
    if (const auto refusal = refused(request)) {
      put(*refusal, response);
      return HandlerResponse::Handled;
    }
    if (request.method == "POST") return HandlerResponse::Unhandled;  // read the body first
    answer(response);
    return HandlerResponse::Handled;
  }

  void finish(const httplib::Request& request, httplib::Response& response) {
    current->complete = true;
    if (request.body.size() > limits_.body_bytes)
      return put(fault_response(Fault::kTooLong, false, limits_), response);
    current->request.body = request.body;
    answer(response);
  }

  void answer(httplib::Response& response) {
    connections_.set_busy(current->descriptor);
    put(handler_.answer(current->request), response);
  }

  static void put(const HttpResponse& from, httplib::Response& to) {
    current->response = from;
    to.status = from.status;
    to.set_content(from.body, from.content_type);
    for (const auto& [name, value] : from.headers) to.set_header(name, value);
  }

  // For whatever cpp-httplib itself refuses.
  void complain(httplib::Response& response) {
    if (!response.body.empty()) return;
    const Exchange& exchange = *current;
    current->complete = false;
    put(fault_response(exchange.stream->fault(), !exchange.understood, limits_), response);
  }

  void say_whether_it_closes(const httplib::Request& request, httplib::Response& response) const {
    response.headers.erase("Connection");
    response.headers.erase("Keep-Alive");
    if (!current->complete || connections_.finishing() ||
        same_letters(request.get_header_value("Connection"), "close")) {
      response.set_header("Connection", "close");
    } else {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.idle_time).count();
      response.set_header("Keep-Alive", fmt::format("timeout={}", seconds));
    }
  }

  HttpHandler& handler_;
  const HttpLimits& limits_;
  Connections& connections_;
};

HttpServer::HttpServer(HttpHandler& handler, const HttpLimits& limits)
    : limits_(limits), http_(std::make_unique<Http>(handler, limits_, connections_)) {}

HttpServer::~HttpServer() {
  if (listener_ >= 0) ::close(listener_);
  connections_.end_all();
  while (!connections_.wait_until_none(std::chrono::seconds(1))) {
  }
}

int HttpServer::listen(const std::string& host, int port) {
  const std::string name = fmt::format("{} port {}", host, port);
  struct addrinfo hints {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  struct addrinfo* found = nullptr;
  if (const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
      failed != 0)
    throw Error(ErrorCode::kUsage, fmt::format("cannot listen on {}: {}", name, ::gai_strerror(failed)));
  const std::unique_ptr<struct addrinfo, void (*)(struct addrinfo*)> addresses(found, ::freeaddrinfo);

  listener_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (listener_ < 0 || ::bind(listener_, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(listener_, kBacklog) != 0)
    throw Error(ErrorCode::kIo, fmt::format("cannot listen on {}: {}", name, std::strerror(errno)));

  struct sockaddr_storage bound {};
  socklen_t size = sizeof(bound);
  ::getsockname(listener_, reinterpret_cast<struct sockaddr*>(&bound), &size);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<struct sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<struct sockaddr_in&>(bound).sin_port);
}

void HttpServer::run(const std::function<bool()>& stop) {
  while (!stop()) {
    struct pollfd watched = {listener_, POLLIN, 0};
    if (::poll(&watched, 1, kPollMilliseconds) > 0) take_connection();
  }
}

void HttpServer::take_connection() {
  struct sockaddr_storage from {};
  socklen_t size = sizeof(from);
  const int descriptor = ::accept4(listener_, reinterpret_cast<struct sockaddr*>(&from), &size, SOCK_CLOEXEC);
  if (descriptor < 0) {
    // Whatever it is (the client is gone, no descriptors are left), it passes; but not by trying at once.
    if (errno != ECONNABORTED && errno != EINTR) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return;
  }
  const int yes = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  char address[NI_MAXHOST] = "";
  ::getnameinfo(reinterpret_cast<struct sockaddr*>(&from), size, address, sizeof(address), nullptr, 0,
                NI_NUMERICHOST);

  if (!connections_.add(descriptor, limits_.connections)) {
    const std::string sorry = Http::raw(error_response(
        503, "too_many_connections", fmt::format("all {} connections are in use", limits_.connections)));
    ::send(descriptor, sorry.data(), sorry.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::close(descriptor);
    return;
  }
  try {
    std::thread([this, descriptor, peer = GuardedStream::Peer{address, 0}] {
      {
        GuardedStream stream(descriptor, peer, limits_.write_time);
        try {
          http_->serve(stream, descriptor);
        } catch (const std::exception&) {  // no memory: this connection ends, the others go on
        }
      }
      connections_.remove(descriptor);
    }).detach();
  } catch (const std::system_error&) {  // no more threads
    connections_.remove(descriptor);
  }
}

bool HttpServer::finish(std::chrono::milliseconds time) {
  // Those that the system has taken already may have sent their request.
  struct pollfd watched = {listener_, POLLIN, 0};
  while (::poll(&watched, 1, 0) > 0) take_connection();
  ::close(listener_);
  listener_ = -1;
  connections_.finish();
  return connections_.wait_until_none(time);
}

}  // namespace greenkgc::server
