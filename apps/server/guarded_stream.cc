#include "server/guarded_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace greenkgc::server {
namespace {

using Clock = GuardedStream::Clock;

constexpr std::size_t kMostDrained = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kMostLinger{1000};

// Whether the event came before the deadline.
bool wait_until(int descriptor, short event, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    struct pollfd watched = {descriptor, event, 0};
    const int ready = ::poll(&watched, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

bool GuardedStream::wait(std::chrono::milliseconds time) {
  return begin_ < end_ || wait_until(descriptor_, POLLIN, Clock::now() + time);
}

void GuardedStream::allow(std::size_t bytes, std::chrono::milliseconds time) {
  allowed_ = bytes;
  deadline_ = Clock::now() + time;
}

bool GuardedStream::fill() {
  for (;;) {
    if (!wait_until(descriptor_, POLLIN, deadline_)) {
      fault_ = Fault::kSlow;
      return false;
    }
    const ssize_t count = ::recv(descriptor_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) {
      fault_ = Fault::kClosed;
      return false;
    }
    begin_ = 0;
    end_ = static_cast<std::size_t>(count);
    return true;
  }
}

ssize_t GuardedStream::read(char* to, std::size_t size) {
  if (fault_ != Fault::kNone || size == 0) return -1;
  if (allowed_ == 0) {
    fault_ = Fault::kTooLong;
    return -1;
  }
  if (begin_ == end_ && !fill()) return -1;
  const std::size_t count = std::min({size, end_ - begin_, allowed_});
  std::memcpy(to, buffer_.data() + begin_, count);
  begin_ += count;
  allowed_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t GuardedStream::write(const char* from, std::size_t size) {
  const auto deadline = Clock::now() + write_time_;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::send(descriptor_, from + done, size - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      if (!wait_until(descriptor_, POLLOUT, deadline)) return -1;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  written_ += done;
  return static_cast<ssize_t>(done);
}

void GuardedStream::linger() {
  if (fault_ == Fault::kClosed) return;
  ::shutdown(descriptor_, SHUT_WR);
  const auto deadline = Clock::now() + kMostLinger;
  for (std::size_t drained = 0; drained < kMostDrained;) {
    if (!wait_until(descriptor_, POLLIN, deadline)) return;
    const ssize_t count = ::recv(descriptor_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return;
    if (count > 0) drained += static_cast<std::size_t>(count);
  }
}

void GuardedStream::get_remote_ip_and_port(std::string& address, int& port) const {
  address = peer_.address;
  port = peer_.port;
}

void GuardedStream::get_local_ip_and_port(std::string& address, int& port) const {
  address.clear();
  port = 0;
}

}  // namespace greenkgc::server
