#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "greenkgc/context.h"
#include "server/http/http.h"
#include "server/work/deadlines.h"
#include "server/work/reply.h"

namespace greenkgc::server {

HttpError took_too_long(std::chrono::milliseconds time);  // 504
HttpError overloaded(std::size_t waiting);                // 503
HttpError stopping();                                     // 503

// The time that something may take, from the moment that this is made.
struct TimeLimit {
  TimeLimit(std::chrono::milliseconds allowed)  // NOLINT: a time is a limit
      : time(allowed), until(Deadlines::Clock::now() + allowed) {}

  std::chrono::milliseconds time;
  Deadlines::Clock::time_point until;
};

// Some threads that do what takes time, in the order in which it came, each job in one thread. What comes
// while the queue is full is refused at once: waiting for longer would help nobody.
class Workers {
 public:
  struct Limits {
    int threads = 2;
    std::size_t queue = 128;   // jobs that wait
    bool cancels_late = true;  // jobs whose time is over, instead of finishing what may be asked for again
  };
  explicit Workers(const Limits& limits);
  ~Workers();  // stops

  // Jobs that run are cancelled and waited for, those that wait are left out. Nothing is done afterwards.
  void stop();

  using Job = std::function<std::string(const Context&)>;
  enum class Admission {
    kIfThereIsRoom,
    kAlways,  // the caller bounds how many there are
  };
  // Does the job in one of the threads and passes its result on, or what it throws: HttpError 504 after the
  // time, 503 if the service stops. A job that is not done in time may go on for a while, so it must not
  // refer to anything of its caller's. Throws HttpError 503, without calling `done`, if the queue is full or
  // the service stops.
  void submit(Job job, const TimeLimit& limit, Done done, Admission admission = Admission::kIfThereIsRoom);
  // Submits the job and waits for its result, or throws what it throws.
  std::string run(Job job, std::chrono::milliseconds time);

  // A job that nobody waits for, in the queue even if that is full: the caller bounds how many there are.
  void post(std::function<void(const Context&)> job);

  const Limits& limits() const { return limits_; }
  // For others who wait for these threads.
  Deadlines& deadlines() { return deadlines_; }
  std::size_t waiting() const;

 private:
  struct Task;
  void enqueue(std::shared_ptr<Task> task, std::size_t most);
  void work();

  const Limits limits_;
  Deadlines deadlines_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::vector<std::shared_ptr<Task>> running_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace greenkgc::server
