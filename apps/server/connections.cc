#include "server/connections.h"

#include <sys/socket.h>
#include <unistd.h>

namespace greenkgc::server {

void Connections::end(int descriptor, State& state) {
  state.ending = true;
  ::shutdown(descriptor, SHUT_RD);
}

bool Connections::add(int descriptor, std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::size_t alive = 0;
  auto longest = states_.end();
  for (auto at = states_.begin(); at != states_.end(); ++at) {
    if (at->second.ending) continue;
    ++alive;
    if (at->second.waiting && (longest == states_.end() || at->second.since < longest->second.since))
      longest = at;
  }
  if (alive >= most) {
    if (longest == states_.end()) return false;
    end(longest->first, longest->second);
  }
  states_[descriptor] = {.since = std::chrono::steady_clock::now()};
  return true;
}

void Connections::remove(int descriptor) {
  const std::lock_guard lock(mutex_);
  states_.erase(descriptor);
  ::close(descriptor);
  removed_.notify_all();
}

void Connections::set_waiting(int descriptor) {
  const std::lock_guard lock(mutex_);
  State& state = states_.at(descriptor);
  state.waiting = true;
  state.since = std::chrono::steady_clock::now();
  if (finishing_) end(descriptor, state);
}

void Connections::set_busy(int descriptor) {
  const std::lock_guard lock(mutex_);
  states_.at(descriptor).waiting = false;
}

void Connections::finish() {
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  for (auto& [descriptor, state] : states_) {
    if (state.waiting) end(descriptor, state);
  }
}

bool Connections::finishing() const {
  const std::lock_guard lock(mutex_);
  return finishing_;
}

bool Connections::wait_until_none(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return removed_.wait_for(lock, time, [&] { return states_.empty(); });
}

void Connections::end_all() {
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  for (auto& [descriptor, state] : states_) {
    state.ending = true;
    ::shutdown(descriptor, SHUT_RDWR);
  }
}

std::size_t Connections::count() const {
  const std::lock_guard lock(mutex_);
  return states_.size();
}

}  // namespace greenkgc::server
