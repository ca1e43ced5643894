#include "server/http/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "greenkgc/error.h"
#include "server/work/workers.h"

namespace greenkgc::server {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Repeats a request's path and body, from a thread of its own; "/gate" waits until it is opened.
class Echo final : public HttpHandler {
 public:
  std::optional<HttpResponse> refusal(const HttpRequest& request) override {
    if (request.path == "/refused") return error_response(403, "refused", "not this one");
    return std::nullopt;
  }
  void answer(HttpRequest& request, Respond respond) override {
    ++begun;
    const bool waits = request.path == "/gate";
    workers_.post([this, waits, text = request.path + " " + request.body, respond](const Context&) {
      if (waits) opened_.wait();
      respond({.body = text, .content_type = "text/plain"});
    });
  }
  void sent(const HttpRequest&, const HttpResponse& response, double) override {
    const std::lock_guard lock(mutex_);
    statuses_.push_back(response.status);
  }

  void open() { gate_.set_value(); }
  std::vector<int> statuses() const {
    const std::lock_guard lock(mutex_);
    return statuses_;
  }
  std::atomic<int> begun{0};

 private:
  mutable std::mutex mutex_;
  std::vector<int> statuses_;
  std::promise<void> gate_;
  std::shared_future<void> opened_ = gate_.get_future().share();
  Workers workers_{{.threads = 2, .queue = 1000}};
};

// A client that sends bytes and reads bytes.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    struct sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<struct sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view text) { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  void end() { ::shutdown(socket_, SHUT_WR); }

  // Up to the end of the connection.
  std::string rest() {
    std::string text;
    char bytes[4096];
    for (ssize_t count; (count = ::recv(socket_, bytes, sizeof(bytes), 0)) > 0;)
      text.append(bytes, static_cast<std::size_t>(count));
    return text;
  }
  // Up to and with `last`, or the end.
  std::string until(std::string_view last) {
    std::string text;
    char byte = 0;
    while (!text.ends_with(last) && ::recv(socket_, &byte, 1, 0) == 1) text += byte;
    return text;
  }

 private:
  int socket_;
};

std::string get(const std::string& path, const std::string& headers = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

constexpr const char* kClose = "Connection: close\r\n";

class HttpServerTest : public testing::Test {
 protected:
  int start(const HttpLimits& limits = {}) {
    server_ = std::make_unique<HttpServer>(echo_, limits);
    return server_->listen("127.0.0.1", 0);
  }
  void wait_until_begun(int count) const {
    while (echo_.begun < count) std::this_thread::sleep_for(1ms);
  }

  Echo echo_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, ConcurrentClientsGetTheirOwnAnswers) {
  const int port = start();
  std::vector<std::future<void>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [port, i] {
      Client client(port);
      for (int j = 0; j < 50; ++j) {
        const std::string path = "/" + std::to_string(i) + "/" + std::to_string(j);
        client.send(get(path));
        ASSERT_THAT(client.until(path + " "), StartsWith("HTTP/1.1 200 OK\r\n"));
      }
    }));
  }
  for (auto& client : clients) client.get();
  EXPECT_EQ(echo_.begun, 400);
}

TEST_F(HttpServerTest, RequestsSentAheadAreAnsweredInOrder) {
  Client client(start());
  client.send(get("/a") + "POST /b HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody" +
              "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n" +
              "HEAD /d HTTP/1.1\r\n\r\n" + get("/e", kClose));
  const std::string received = client.rest();
  const auto place = [&](std::string_view text) { return received.find(text); };
  EXPECT_LT(place("/a "), place("/b body"));
  EXPECT_LT(place("/b body"), place("/c onetwo"));
  EXPECT_LT(place("/c onetwo"), place("/e "));
  EXPECT_EQ(place("/d"), std::string::npos);  // a HEAD has no body
  EXPECT_THAT(received, EndsWith("\r\n\r\n/e "));
}

TEST_F(HttpServerTest, BodyIsAskedForBeforeItIsSent) {
  Client client(start());
  client.send("POST /x HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_THAT(client.rest(), EndsWith("/x abc"));
}

TEST_F(HttpServerTest, RefusedBodyIsNotReadAndTheConnectionEnds) {
  Client client(start());
  client.send("POST /refused HTTP/1.1\r\nContent-Length: 100\r\n\r\n" + get("/smuggled"));
  const std::string received = client.rest();
  EXPECT_THAT(received, StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_THAT(received, HasSubstr("Connection: close"));
  EXPECT_EQ(echo_.begun, 0);
}

TEST_F(HttpServerTest, SlowClientsGetAStatusAndHoldUpNobody) {
  const int port = start({.idle_time = 400ms, .read_time = 200ms});
  Client head(port);
  Client body(port);
  Client silent(port);
  head.send("GET /x HT");
  body.send("POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc");
  Client other(port);
  other.send(get("/y", kClose));
  EXPECT_THAT(other.rest(), EndsWith("/y "));
  EXPECT_THAT(head.rest(), HasSubstr("the request did not come within 0.2 s"));
  EXPECT_THAT(body.rest(), HasSubstr("the body did not come within 0.2 s"));
  EXPECT_EQ(silent.rest(), "");
  EXPECT_THAT(echo_.statuses(), testing::UnorderedElementsAre(200, 408, 408));
}

TEST_F(HttpServerTest, LongestSilentConnectionMakesRoom) {
  const int port = start({.connections = 2});
  Client first(port);
  first.send(get("/first"));
  first.until("/first ");
  Client second(port);
  second.send(get("/second"));
  second.until("/second ");
  Client third(port);
  third.send(get("/third"));
  EXPECT_THAT(third.until("/third "), HasSubstr("200 OK"));
  EXPECT_EQ(first.rest(), "");
  second.send(get("/again"));
  EXPECT_THAT(second.until("/again "), HasSubstr("200 OK"));
}

TEST_F(HttpServerTest, BusyConnectionsDoNotMakeRoom) {
  const int port = start({.connections = 1});
  Client busy(port);
  busy.send(get("/gate", kClose));
  wait_until_begun(1);
  Client turned_away(port);
  EXPECT_THAT(turned_away.rest(), HasSubstr("too_many_connections"));
  echo_.open();
  EXPECT_THAT(busy.rest(), EndsWith("/gate "));
}

TEST_F(HttpServerTest, FinishWaitsForRequestsUnderWay) {
  const int port = start();
  Client busy(port);
  Client idle(port);
  busy.send(get("/gate"));
  wait_until_begun(1);
  auto finished = std::async(std::launch::async, [&] { return server_->finish(30s); });
  EXPECT_EQ(idle.rest(), "");
  EXPECT_EQ(finished.wait_for(50ms), std::future_status::timeout);
  echo_.open();
  EXPECT_THAT(busy.rest(), HasSubstr("Connection: close"));
  EXPECT_TRUE(finished.get());
  EXPECT_EQ(server_->connection_count(), 0U);
}

TEST_F(HttpServerTest, EndsWhileRequestsAreUnderWay) {
  const int port = start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->send(get("/gate"));
  }
  wait_until_begun(4);
  EXPECT_FALSE(server_->finish(20ms));
  server_.reset();
  echo_.open();  // answers come after the server is gone
  for (auto& client : clients) EXPECT_EQ(client->rest(), "");
}

TEST_F(HttpServerTest, ClientsThatLeaveAreForgotten) {
  const int port = start();
  {
    Client busy(port);
    Client half(port);
    busy.send(get("/gate"));
    half.send("GET /x");
    wait_until_begun(1);
  }
  echo_.open();
  while (server_->connection_count() > 0) std::this_thread::sleep_for(1ms);
}

TEST(ParseTarget, DecodesPathAndQuery) {
  const Target target = parse_target("/a%20b+c?x=1+2%2B&y&=z&x=%zz%4&&%C3%A9==");
  EXPECT_EQ(target.path, "/a b+c");
  EXPECT_THAT(target.parameters,
              testing::UnorderedElementsAre(testing::Pair("x", "1 2+"), testing::Pair("y", ""),
                                            testing::Pair("", "z"), testing::Pair("x", "%zz%4"),
                                            testing::Pair("\xC3\xA9", "=")));
  EXPECT_TRUE(parse_target("").path.empty());
  EXPECT_TRUE(parse_target("/x?").parameters.empty());
}

TEST(HttpServerTls, BadFilesAreNamed) {
  Echo echo;
  try {
    HttpServer server(echo, {}, {.certificate = "/nowhere/cert.pem", .key = "/nowhere/key.pem"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("/nowhere/cert.pem: cannot be read: No such file"));
  }
}

}  // namespace
}  // namespace greenkgc::server
