#include "server/work/workers.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <limits>

#include "server/http/http.h"

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
  Task(Job job_, Done done) : job(std::move(job_)), reply(std::move(done)) {}

  Job job;
  Reply reply;
  Deadlines::Id deadline;
  std::atomic<bool> cancelled{false};

  void run() {
    const Context context{.threads = 1, .cancel = &cancelled};
    Outcome outcome;
    try {
      context.check_cancelled();
      outcome.text = job(context);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    job = nullptr;  // and what it captured, before its caller goes on
    reply.settle(std::move(outcome));
  }
};

Workers::Workers(const Limits& limits) : limits_(limits) {
  for (int i = 0; i < limits.threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  stop();
}

void Workers::stop() {
  std::deque<std::shared_ptr<Task>> left;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& task : running_) task->cancelled = true;
    left.swap(queue_);
  }
  came_.notify_all();
  for (const auto& task : left) task->reply.settle(failed(stopping()));
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

void Workers::submit(Job job, const TimeLimit& limit, Done done, Admission admission) {
  const auto task = std::make_shared<Task>(std::move(job), std::move(done));
  const auto late = [weak = std::weak_ptr(task), time = limit.time, cancels = limits_.cancels_late] {
    const auto own = weak.lock();
    if (own && own->reply.settle(failed(took_too_long(time))) && cancels) own->cancelled = true;
  };
  task->deadline = deadlines_.add(limit.until, late);
  try {
    enqueue(task, admission == Admission::kAlways ? std::numeric_limits<std::size_t>::max() : limits_.queue);
  } catch (...) {
    deadlines_.remove(task->deadline);
    throw;
  }
}

std::string Workers::run(Job job, std::chrono::milliseconds time) {
  return wait_for_outcome([&](Done done) { submit(std::move(job), time, std::move(done)); });
}

void Workers::post(std::function<void(const Context&)> job) {
  const auto counted = [job = std::move(job)](const Context& context) {
    job(context);
    return std::string();
  };
  enqueue(std::make_shared<Task>(counted, [](const Outcome&) {}), std::numeric_limits<std::size_t>::max());
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
    deadlines_.remove(task->deadline);
    lock.lock();
    std::erase(running_, task);
  }
}

}  // namespace greenkgc::server
