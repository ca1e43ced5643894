#include "server/work/deadlines.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace greenkgc::server {
namespace {

using namespace std::chrono_literals;
using Clock = Deadlines::Clock;

TEST(Deadlines, AreCalledInOrderOfTime) {
  Deadlines deadlines;
  std::vector<int> called;  // by one thread
  std::promise<void> last;
  const auto now = Clock::now();
  deadlines.add(now + 30ms, [&] {
    called.push_back(2);
    last.set_value();
  });
  deadlines.add(now + 10ms, [&] { called.push_back(1); });
  last.get_future().wait();
  EXPECT_EQ(called, (std::vector{1, 2}));
  EXPECT_GE(Clock::now(), now + 30ms);
}

TEST(Deadlines, AreNotCalledOnceRemoved) {
  Deadlines deadlines;
  std::atomic<bool> called = false;
  std::promise<void> later;
  const auto id = deadlines.add(Clock::now() + 10ms, [&] { called = true; });
  deadlines.add(Clock::now() + 20ms, [&] { later.set_value(); });
  deadlines.remove(id);
  deadlines.remove(id);  // does nothing
  later.get_future().wait();
  EXPECT_FALSE(called);
}

TEST(Deadlines, ManyThreadsAddAndRemove) {
  Deadlines deadlines;
  std::atomic<int> called = 0;
  std::vector<std::future<void>> threads;
  for (int i = 0; i < 4; ++i) {
    threads.push_back(std::async(std::launch::async, [&] {
      for (int j = 0; j < 200; ++j) {
        const auto id = deadlines.add(Clock::now() + (j % 2 == 0 ? 0ms : 60s), [&] { ++called; });
        if (j % 2 == 1) deadlines.remove(id);
      }
    }));
  }
  for (auto& thread : threads) thread.get();
  while (called < 400) std::this_thread::yield();
  EXPECT_EQ(called, 400);
}

}  // namespace
}  // namespace greenkgc::server
