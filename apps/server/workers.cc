#include "server/workers.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <future>

#include "server/http.h"

namespace greenkgc::server {
namespace {

HttpError stopping() {
  return {503, "stopping", "the service is being stopped"};
}

}  // namespace

struct Workers::Task {
  Job job;
  std::promise<std::string> result;
  std::atomic<bool> cancelled{false};

  void run() {
    const Context context{.threads = 1, .cancel = &cancelled};
    try {
      context.check_cancelled();
      result.set_value(job(context));
    } catch (...) {
      result.set_exception(std::current_exception());
    }
  }
};

Workers::Workers(const Limits& limits) : limits_(limits) {
  for (int i = 0; i < limits.threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  stop();
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& task : running_) task->cancelled = true;
    for (const auto& task : queue_) task->result.set_exception(std::make_exception_ptr(stopping()));
    queue_.clear();
  }
  came_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::string Workers::run(Job job, std::chrono::milliseconds time) {
  const auto task = std::make_shared<Task>();
  task->job = std::move(job);
  std::future<std::string> result = task->result.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw stopping();
    if (queue_.size() >= limits_.queue)
      throw HttpError(503, "overloaded",
                      fmt::format("{} requests are waiting already; try again in a second", limits_.queue));
    queue_.push_back(task);
  }
  came_.notify_one();
  if (result.wait_for(time) == std::future_status::timeout) {
    if (limits_.cancels_late) task->cancelled = true;
    throw HttpError(504, "too_long",
                    fmt::format("this took longer than {:g} s", std::chrono::duration<double>(time).count()));
  }
  return result.get();
}

std::size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    came_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const std::shared_ptr<Task> task = queue_.front();
    queue_.pop_front();
    running_.push_back(task);
    lock.unlock();
    task->run();
    lock.lock();
    std::erase(running_, task);
  }
}

}  // namespace greenkgc::server
