#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "greenkgc/error.h"

namespace greenkgc {
namespace {

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

using Pieces = std::set<std::pair<std::size_t, std::size_t>>;

Pieces pieces_of(std::size_t n, std::size_t grain, int threads) {
  std::mutex mutex;
  Pieces pieces;
  parallel_for(with_threads(threads), n, grain, [&](std::size_t begin, std::size_t end) {
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(pieces.emplace(begin, end).second) << "given twice";
  });
  return pieces;
}

TEST(ParallelFor, CoversEachPlaceOnceInPiecesThatDoNotDependOnThreads) {
  for (const std::size_t n : {0, 1, 2, 7, 64, 100, 1000}) {
    for (const std::size_t grain : {1, 2, 7, 64, 1000, 5000}) {
      const Pieces pieces = pieces_of(n, grain, 1);
      std::size_t covered = 0;
      for (const auto& [begin, end] : pieces) {
        EXPECT_EQ(begin, covered);
        EXPECT_GT(end, begin);
        EXPECT_LE(end - begin, grain);
        covered = end;
      }
      EXPECT_EQ(covered, n);
      for (const int threads : {0, 2, 5}) EXPECT_EQ(pieces_of(n, grain, threads), pieces);
    }
  }
}

TEST(ParallelFor, LastPieceBeforeTheLargestNumber) {
  const std::size_t n = ~std::size_t{0};
  EXPECT_EQ(pieces_of(n, n / 2, 2).rbegin()->second, n);
}

// The piece that all others wait for can only come to run if there are as many threads as pieces.
TEST(ParallelFor, UsesAsManyThreadsAsAskedFor) {
  constexpr int kThreads = 5;
  std::atomic<int> arrived{0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  parallel_for(with_threads(kThreads), kThreads, 1, [&](std::size_t, std::size_t) {
    ++arrived;
    while (arrived < kThreads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(ParallelFor, UsesNoMoreThreadsThanAskedFor) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    parallel_for(with_threads(threads), 200, 1, [&](std::size_t, std::size_t) {
      int now = ++running;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --running;
    });
    EXPECT_LE(most, threads);
    EXPECT_GE(most, 1);
  }
}

TEST(ParallelFor, AbsurdNumberOfThreadsIsServed) {
  EXPECT_EQ(pieces_of(100, 10, 1'000'000).size(), 10U);
}

TEST(ParallelFor, CanBeNested) {
  std::atomic<int> calls{0};
  const Context context = with_threads(3);
  parallel_for(context, 10, 1, [&](std::size_t, std::size_t) {
    parallel_for(context, 10, 1, [&](std::size_t, std::size_t) { ++calls; });
  });
  EXPECT_EQ(calls, 100);
}

// What a piece keeps for its thread is safe while it waits for a call of its own.
TEST(ParallelFor, NoThreadBeginsAPieceWithinAnother) {
  static thread_local bool inside = false;
  std::atomic<int> begun_within{0};
  const Context context = with_threads(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    parallel_for(context, 40, 1, [&](std::size_t, std::size_t) {
      begun_within += inside ? 1 : 0;
      inside = true;
      parallel_for(context, 8, 1, [](std::size_t, std::size_t) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      });
      inside = false;
    });
  }
  EXPECT_EQ(begun_within, 0);
}

TEST(ParallelFor, ExceptionReachesTheCaller) {
  for (const int threads : {1, 2, 5}) {
    try {
      parallel_for(with_threads(threads), 100, 1, [](std::size_t begin, std::size_t) {
        if (begin == 37) throw Error(ErrorCode::kBadInput, "piece 37");
      });
      FAIL() << "lost";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_STREQ(error.what(), "piece 37");
    }
  }
}

TEST(ParallelFor, StopsBetweenPiecesWhenAsked) {
  constexpr std::size_t kPieces = 100'000;
  for (const int threads : {1, 2, 5}) {
    std::atomic<bool> cancel{false};
    std::atomic<std::size_t> calls{0};
    Context context = with_threads(threads);
    context.cancel = &cancel;
    try {
      parallel_for(context, kPieces, 1, [&](std::size_t, std::size_t) {
        ++calls;
        cancel = true;
      });
      FAIL() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
    }
    EXPECT_GE(calls, 1U);
    EXPECT_LE(calls, static_cast<std::size_t>(threads));
  }
}

#ifdef __SANITIZE_THREAD__
// What parallel.cc tells the thread sanitizer must not hide what it is there to find.
TEST(ParallelForDeathTest, ThreadSanitizerSeesARaceBetweenPieces) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    std::size_t sum = 0;
    for (int repeat = 0; repeat < 50; ++repeat) {
      parallel_for(with_threads(4), 100, 1, [&](std::size_t begin, std::size_t) {
        for (int i = 0; i < 1000; ++i) sum += begin;
      });
    }
    std::exit(sum == 1 ? 1 : 0);  // the sanitizer replaces it
  };
  constexpr int kRaces = 66;
  EXPECT_EXIT(race(), testing::ExitedWithCode(kRaces), "data race");
}
#endif

// Counts those alive, for the bound on items in flight.
struct Numbered : PipelineItem {
  Numbered(int value, std::atomic<int>& count) : number(value), alive(count) {
    const int now = ++alive;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
  }
  ~Numbered() override { --alive; }

  int number;
  bool transformed = false;
  std::atomic<int>& alive;
  static std::atomic<int> most;
};
std::atomic<int> Numbered::most{0};

int number_of(const PipelineItem& item) {
  return static_cast<const Numbered&>(item).number;
}

// Passes `items` numbers through; the stages can be replaced.
struct Pipeline {
  explicit Pipeline(int items) {
    stages.produce = [this, items]() -> std::unique_ptr<PipelineItem> {
      if (next == items) return nullptr;
      return std::make_unique<Numbered>(next++, alive);
    };
    stages.transform = [](PipelineItem& item) {
      // The first of each eight is the slowest, so that later ones overtake it.
      if (number_of(item) % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
      static_cast<Numbered&>(item).transformed = true;
    };
    stages.consume = [this](PipelineItem& item) {
      EXPECT_TRUE(static_cast<Numbered&>(item).transformed);
      consumed.push_back(number_of(item));
    };
    Numbered::most = 0;
  }

  std::atomic<int> alive{0};
  int next = 0;
  std::vector<int> consumed;
  PipelineStages stages;
};

TEST(OrderedPipeline, KeepsTheOrderAndTheBound) {
  for (const int threads : {1, 2, 5}) {
    for (const std::size_t in_flight : {1, 2, 7}) {
      for (const int items : {0, 1, 300}) {
        Pipeline pipeline(items);
        ordered_pipeline(with_threads(threads), in_flight, pipeline.stages);
        ASSERT_EQ(pipeline.consumed.size(), static_cast<std::size_t>(items));
        for (int i = 0; i < items; ++i) ASSERT_EQ(pipeline.consumed[static_cast<std::size_t>(i)], i);
        EXPECT_LE(Numbered::most, static_cast<int>(in_flight));
        EXPECT_EQ(pipeline.alive, 0);
      }
    }
  }
}

TEST(OrderedPipeline, ProducesAndConsumesOneAtATime) {
  Pipeline pipeline(300);
  std::atomic<int> producing{0};
  std::atomic<int> consuming{0};
  pipeline.stages.produce = [&, produce = pipeline.stages.produce] {
    EXPECT_EQ(++producing, 1);
    auto item = produce();
    --producing;
    return item;
  };
  pipeline.stages.consume = [&, consume = pipeline.stages.consume](PipelineItem& item) {
    EXPECT_EQ(++consuming, 1);
    consume(item);
    --consuming;
  };
  ordered_pipeline(with_threads(5), 8, pipeline.stages);
  EXPECT_EQ(pipeline.consumed.size(), 300U);
}

enum class Stage { kProduce, kTransform, kConsume };

TEST(OrderedPipeline, ExceptionOfAnyStageReachesTheCaller) {
  for (const Stage stage : {Stage::kProduce, Stage::kTransform, Stage::kConsume}) {
    for (const int threads : {1, 2, 5}) {
      Pipeline pipeline(200);
      PipelineStages stages = pipeline.stages;
      const auto fail_at_40 = [](int number) {
        if (number == 40) throw Error(ErrorCode::kBadInput, "item 40");
      };
      if (stage == Stage::kProduce) {
        stages.produce = [&] {
          fail_at_40(pipeline.next);
          return pipeline.stages.produce();
        };
      } else {
        auto& work = stage == Stage::kTransform ? stages.transform : stages.consume;
        work = [&, plain = work](PipelineItem& item) {
          fail_at_40(number_of(item));
          plain(item);
        };
      }
      try {
        ordered_pipeline(with_threads(threads), 6, stages);
        FAIL() << "lost";
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "item 40");
      }
      EXPECT_LE(pipeline.consumed.size(), 40U);
      EXPECT_EQ(pipeline.alive, 0);
    }
  }
}

TEST(OrderedPipeline, StopsWhenAsked) {
  for (const int threads : {1, 2, 5}) {
    std::atomic<bool> cancel{false};
    Context context = with_threads(threads);
    context.cancel = &cancel;
    Pipeline pipeline(1'000'000);
    pipeline.stages.consume = [&](PipelineItem& item) { cancel = number_of(item) >= 3; };
    try {
      ordered_pipeline(context, 4, pipeline.stages);
      FAIL() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
    }
    EXPECT_LT(pipeline.next, 20);
    EXPECT_EQ(pipeline.alive, 0);
  }
}

}  // namespace
}  // namespace greenkgc
