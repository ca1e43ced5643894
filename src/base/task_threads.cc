#include "base/task_threads.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <deque>
#include <optional>

namespace greenkgc {
namespace {

// A bound on what a caller can ask for; beyond it, threads cannot be had on many systems.
constexpr int kMostThreads = 256;

// The arenas of one calling thread, kept from call to call: one that a worker still looks into when its call
// ends is not freed, and where calls are short and cores are busy thousands of them pile up, which oneTBB
// searches every time. A call from within a call has an arena of its own, so that no thread begins another
// piece of the outer one in the middle of a piece.
class Arenas {
 public:
  template <class Work>
  void execute(int threads, const Work& work) {
    if (depth_ == arenas_.size()) arenas_.emplace_back();
    std::optional<tbb::task_arena>& arena = arenas_[depth_];
    if (!arena || arena->max_concurrency() != threads) arena.emplace(threads);
    ++depth_;
    try {
      arena->execute(work);
    } catch (...) {
      --depth_;
      throw;
    }
    --depth_;
  }

 private:
  std::deque<std::optional<tbb::task_arena>> arenas_;  // by depth
  std::size_t depth_ = 0;
};

template <class Work>
void run_on_threads(int threads, const Work& work) {
  // Left alone, oneTBB ends its threads with the last thread that calls it, and a caller may come with a new
  // one each time, as Python's calls do.
  static const tbb::task_scheduler_handle keeps_threads{tbb::attach{}};
  static const int cores = tbb::info::default_concurrency();
  threads = std::min(threads, std::max(kMostThreads, cores));
  // Left alone, oneTBB stops at one thread per core, and says on stderr that it does.
  std::optional<tbb::global_control> control;
  if (threads > cores)
    control.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  thread_local Arenas arenas;
  arenas.execute(threads, work);
}

}  // namespace

void run_pieces(int threads, std::size_t count, PieceRunner& runner) {
  const auto run = [&runner](std::size_t piece) { runner.run(piece); };
  run_on_threads(threads, [&] { tbb::parallel_for(std::size_t{0}, count, run, tbb::simple_partitioner{}); });
}

void run_stages(int threads, std::size_t in_flight, StageRunner& runner) {
  using Slot = StageRunner::Slot;
  const auto produce = [&runner](tbb::flow_control& control) -> Slot {
    const Slot slot = runner.produce();
    if (slot == nullptr) control.stop();
    return slot;
  };
  const auto transform = [&runner](Slot slot) {
    runner.transform(slot);
    return slot;
  };
  const auto consume = [&runner](Slot slot) { runner.consume(slot); };
  run_on_threads(threads, [&] {
    tbb::parallel_pipeline(in_flight,
                           tbb::make_filter<void, Slot>(tbb::filter_mode::serial_in_order, produce) &
                               tbb::make_filter<Slot, Slot>(tbb::filter_mode::parallel, transform) &
                               tbb::make_filter<Slot, void>(tbb::filter_mode::serial_in_order, consume));
  });
}

}  // namespace greenkgc
