#include "server/workers.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <future>
#include <limits>

#include "server/http.h"

namespace greenkgc::server {

HttpError stopping() {
  return {503, "stopping", "the service is being stopped"};
}

HttpError overloaded(std::size_t waiting) {
  return {503, "overloaded", fmt::format("{} requests are waiting already; try again in a second", waiting)};
}

HttpError took_too_long(std::chrono::milliseconds time) {
  return {504, "too_long",
          fmt::format("this took longer than {:g} s", std::chrono::duration<double>(time).count())};
}

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

void Workers::enqueue(std::shared_ptr<Task> task, std::size_t most) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw stopping();
    if (queue_.size() >= most) throw overloaded(queue_.size());
    queue_.push_back(std::move(task));
  }
  came_.notify_one();
}

std::string Workers::run(Job job, std::chrono::milliseconds time) {
  const auto task = std::make_shared<Task>();
  task->job = std::move(job);
  std::future<std::string> result = task->result.get_future();
  enqueue(task, limits_.queue);
  if (result.wait_for(time) == std::future_status::timeout) {
    if (limits_.cancels_late) task->cancelled = true;
    throw took_too_long(time);
  }
  return result.get();
}

void Workers::post(std::function<void(const Context&)> job) {
  const auto task = std::make_shared<Task>();
  task->job = [job = std::move(job)](const Context& context) {
    job(context);
    return std::string();
  };
  enqueue(task, std::numeric_limits<std::size_t>::max());
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
