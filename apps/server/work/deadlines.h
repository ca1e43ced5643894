#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace greenkgc::server {

// A clock that calls back: one thread for any number of deadlines. Calls may come from several threads.
class Deadlines {
 public:
  using Clock = std::chrono::steady_clock;
  using Id = std::pair<Clock::time_point, std::uint64_t>;

  Deadlines();
  ~Deadlines();  // deadlines that have not passed are dropped

  // Calls `late` when the time has come, unless it is removed before. The call is made in this object's
  // thread, so it must be short, and it may overlap with `remove`.
  Id add(Clock::time_point when, std::function<void()> late);
  void remove(const Id& id);  // does nothing if its time was over

 private:
  void watch();

  std::mutex mutex_;  // guards what is below
  std::condition_variable changed_;
  std::map<Id, std::function<void()>> pending_;  // the next one first
  std::uint64_t count_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace greenkgc::server
