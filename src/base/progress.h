#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "greenkgc/context.h"

namespace greenkgc {

// A long task, for the length of its scope: tells the context's sink how far it is, and stops with
// kInterrupted soon after the caller asked for that. advance() may be called from several threads; call it
// per block of work, not per item.
class ProgressTask {
 public:
  ProgressTask(const Context& context, std::string_view task, std::uint64_t total, std::string_view unit);
  ~ProgressTask();
  ProgressTask(const ProgressTask&) = delete;
  ProgressTask& operator=(const ProgressTask&) = delete;

  void advance(std::uint64_t amount) { reach(done_.fetch_add(amount, std::memory_order_relaxed) + amount); }
  // For tasks that know their position rather than their steps.
  void set(std::uint64_t done) {
    done_.store(done, std::memory_order_relaxed);
    reach(done);
  }

 private:
  void reach(std::uint64_t done);

  const Context& context_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;  // guards the sink and last_
  std::chrono::steady_clock::time_point last_;
};

}  // namespace greenkgc
