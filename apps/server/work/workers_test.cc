#include "server/work/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "greenkgc/error.h"

namespace greenkgc::server {
namespace {

using namespace std::chrono_literals;

int status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const HttpError& error) {
    return error.status();
  }
  return 200;
}

// A job that holds up a worker until it is let go.
class Gate {
 public:
  Workers::Job job() {
    return [this](const Context&) {
      entered_.set_value();
      opened_.get_future().wait();
      return std::string("done");
    };
  }
  void wait_until_entered() { entered_.get_future().wait(); }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> entered_;
  std::promise<void> opened_;
};

TEST(Workers, GiveResultsAndExceptions) {
  Workers workers({.threads = 2, .queue = 4});
  EXPECT_EQ(workers.run([](const Context& context) { return std::to_string(context.thread_count()); }, 10s),
            "1");
  EXPECT_THROW(workers.run([](const Context&) -> std::string { throw std::runtime_error("x"); }, 10s),
               std::runtime_error);
}

TEST(Workers, RefuseWhatIsBeyondTheQueue) {
  Workers workers({.threads = 1, .queue = 1});
  Gate gate;
  auto first = std::async(std::launch::async, [&] { return workers.run(gate.job(), 60s); });
  gate.wait_until_entered();
  auto second = std::async(std::launch::async, [&] {
    return workers.run([](const Context&) { return std::string("second"); }, 60s);
  });
  while (workers.waiting() == 0) std::this_thread::yield();
  EXPECT_EQ(status_of([&] { workers.run([](const Context&) { return std::string(); }, 1s); }), 503);
  gate.open();
  EXPECT_EQ(first.get(), "done");
  EXPECT_EQ(second.get(), "second");
}

TEST(Workers, CancelWhatTakesTooLong) {
  Workers workers({.threads = 1, .queue = 1});
  std::promise<void> cancelled;
  const auto until_cancelled = [&](const Context& context) {
    while (!context.cancelled()) std::this_thread::yield();
    cancelled.set_value();
    return std::string();
  };
  EXPECT_EQ(status_of([&] { workers.run(until_cancelled, 5ms); }), 504);
  cancelled.get_future().wait();
}

TEST(Workers, LetLateJobsFinishIfTold) {
  Workers workers({.threads = 1, .queue = 1, .cancels_late = false});
  Gate gate;
  EXPECT_EQ(status_of([&] { workers.run(gate.job(), 5ms); }), 504);
  gate.open();
  EXPECT_EQ(workers.run([](const Context&) { return std::string("next"); }, 60s), "next");
}

TEST(Workers, StopTellsThoseWhoWait) {
  Workers workers({.threads = 1, .queue = 8});
  std::promise<void> entered;
  auto running = std::async(std::launch::async, [&] {
    return status_of([&] {
      workers.run(
          [&](const Context& context) {
            entered.set_value();
            while (!context.cancelled()) std::this_thread::yield();
            context.check_cancelled();
            return std::string();
          },
          60s);
    });
  });
  entered.get_future().wait();
  auto waiting = std::async(std::launch::async, [&] {
    return status_of([&] { workers.run([](const Context&) { return std::string(); }, 60s); });
  });
  while (workers.waiting() == 0) std::this_thread::yield();
  workers.stop();
  EXPECT_EQ(waiting.get(), 503);
  EXPECT_THROW(running.get(), Error);  // kInterrupted
  EXPECT_EQ(status_of([&] { workers.run([](const Context&) { return std::string(); }, 1s); }), 503);
}

}  // namespace
}  // namespace greenkgc::server
