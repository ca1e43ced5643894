#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "greenkgc/export.h"

namespace greenkgc {

// Shows how far a long task is. Calls come from one thread at a time, at most a few per second.
class GREENKGC_API ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // `total` is 0 where it is not known; `unit` is what is counted ("bytes", "triples").
  virtual void begin(std::string_view task, std::uint64_t total, std::string_view unit) = 0;
  virtual void update(std::uint64_t done) = 0;
  virtual void end() = 0;
};

enum class LogLevel { kDebug, kInfo, kWarning };

// The run-time things of a call. The library keeps no reference after the call returns.
struct GREENKGC_API Context {
  int threads = 0;  // 0: one per core
  std::uint64_t seed = 42;
  ProgressSink* progress = nullptr;
  std::function<void(LogLevel, std::string_view)> log;  // may be empty; called from one thread at a time
  const std::atomic<bool>* cancel = nullptr;            // set it to true, and the call ends with kInterrupted

  int thread_count() const;
  void say(LogLevel level, std::string_view message) const;
  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
  void check_cancelled() const;  // throws Error{kInterrupted}
};

}  // namespace greenkgc
