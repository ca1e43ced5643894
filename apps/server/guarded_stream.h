#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace greenkgc::server {

// A connection as cpp-httplib reads and writes it, which itself bounds neither the bytes of a request nor the
// time that one takes: here a request that is too long or too slow ends like a connection that was closed,
// and `fault` says why.
class GuardedStream final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Fault { kNone, kClosed, kSlow, kTooLong };

  struct Peer {
    std::string address;
    int port = 0;
  };

  GuardedStream(int descriptor, Peer peer, std::chrono::milliseconds write_time)
      : descriptor_(descriptor), peer_(std::move(peer)), write_time_(write_time) {}

  // Waits for the first byte of a request.
  bool wait(std::chrono::milliseconds time);
  // What follows may have so many bytes and must come in that time.
  void allow(std::size_t bytes, std::chrono::milliseconds time);
  Fault fault() const { return fault_; }
  std::size_t written() const { return written_; }
  // Lets the other side read what was written before the connection is closed: takes a little more of what it
  // still sends, for closing with unread bytes would take our last words away.
  void linger();

  bool is_readable() const override { return fault_ == Fault::kNone; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& address, int& port) const override;
  void get_local_ip_and_port(std::string& address, int& port) const override;
  socket_t socket() const override { return descriptor_; }

 private:
  // Fills the empty buffer.
  bool fill();

  const int descriptor_;
  const Peer peer_;
  const std::chrono::milliseconds write_time_;
  std::array<char, 16384> buffer_;
  std::size_t begin_ = 0;  // what is buffered but not yet read
  std::size_t end_ = 0;
  std::size_t allowed_ = 0;
  Clock::time_point deadline_;
  Fault fault_ = Fault::kNone;
  std::size_t written_ = 0;
};

}  // namespace greenkgc::server
