#include "server/work/deadlines.h"

namespace greenkgc::server {

Deadlines::Deadlines() : thread_([this] { watch(); }) {}

Deadlines::~Deadlines() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

Deadlines::Id Deadlines::add(Clock::time_point when, std::function<void()> late) {
  const std::lock_guard lock(mutex_);
  const Id id{when, count_++};
  const auto at = pending_.emplace(id, std::move(late)).first;
  if (at == pending_.begin()) changed_.notify_one();
  return id;
}

void Deadlines::remove(const Id& id) {
  std::function<void()> dropped;  // ends after the lock
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  dropped.swap(found->second);
  pending_.erase(found);
}

void Deadlines::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (pending_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto next = pending_.begin();
    // A copy: while this waits, the entry may be removed.
    const Clock::time_point when = next->first.first;
    if (when > Clock::now()) {
      changed_.wait_until(lock, when);
      continue;
    }
    const std::function<void()> late = std::move(next->second);
    pending_.erase(next);
    lock.unlock();
    late();
    lock.lock();
  }
}

}  // namespace greenkgc::server
