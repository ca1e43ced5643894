#include "base/progress.h"

#include <thread>

#include "greenkgc/error.h"

namespace greenkgc {

int Context::thread_count() const {
  if (threads > 0) return threads;
  static const unsigned cores = std::thread::hardware_concurrency();  // asks the system each time
  return cores > 0 ? static_cast<int>(cores) : 1;
}

void Context::say(LogLevel level, std::string_view message) const {
  if (log) log(level, message);
}

void Context::check_cancelled() const {
  if (cancelled()) throw Error(ErrorCode::kInterrupted, "interrupted");
}

ProgressTask::ProgressTask(const Context& context, std::string_view task, std::uint64_t total,
                           std::string_view unit)
    : context_(context), last_(std::chrono::steady_clock::now()) {
  if (context_.progress != nullptr) context_.progress->begin(task, total, unit);
}

ProgressTask::~ProgressTask() {
  if (context_.progress == nullptr) return;
  context_.progress->update(done_.load());
  context_.progress->end();
}

void ProgressTask::reach(std::uint64_t done) {
  context_.check_cancelled();
  if (context_.progress == nullptr) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread is reporting
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  context_.progress->update(done);
}

}  // namespace greenkgc
