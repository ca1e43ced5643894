#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "greenkgc/context.h"

namespace spdlog {
class logger;
}

namespace greenkgc::cli {

// All that goes to standard error: log lines, progress and the last word about an error. One lock, so that
// lines do not run into each other. On a terminal the progress of a task that takes longer than half a second
// is one line that is redrawn; elsewhere it is a plain line every ten seconds, if it takes longer than two.
class Console final : public ProgressSink {
 public:
  enum class Verbosity { kQuiet, kNormal, kVerbose };

  Console();
  ~Console() override;

  void set_verbosity(Verbosity verbosity);
  std::function<void(LogLevel, std::string_view)> log();  // for Context; not to be used after the console
  void error(std::string_view message);                   // "greenkgc: message", in one line
  void print(std::string_view text);                      // as it is, and a newline

  void begin(std::string_view task, std::uint64_t total, std::string_view unit) override;
  void update(std::uint64_t done) override;
  void end() override;

 private:
  class LogSink;
  using Clock = std::chrono::steady_clock;

  const bool redraws_;  // standard error is a terminal that can
  const bool colours_;
  bool quiet_ = false;
  std::shared_ptr<spdlog::logger> logger_;

  std::mutex mutex_;  // guards standard error and all below
  bool running_ = false;
  std::string task_;
  std::string unit_;
  std::uint64_t total_ = 0;
  Clock::time_point began_;
  Clock::time_point next_report_;
  std::string shown_;  // the progress line that stands on the terminal
};

// Whoever read our standard output has heard enough: a reason to stop, not one to complain.
struct ReaderGone {};

// The result of a command. Throws kIo if standard output is closed or full, ReaderGone if it is a pipe that
// nobody reads.
void write_stdout(std::string_view text);

}  // namespace greenkgc::cli
