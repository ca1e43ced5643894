#include "kernels/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>

namespace greenkgc {
namespace {

// oneTBB keeps to the number of cores, and prints a warning, unless it is told that more threads are wanted.
void allow_threads(int threads) {
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> control;
  static int allowed = 0;
  const std::lock_guard lock(mutex);
  if (threads <= allowed) return;
  control.reset();
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(threads));
  allowed = threads;
}

tbb::task_arena arena_of(const Context& context) {
  allow_threads(context.thread_count());
  return tbb::task_arena(context.thread_count());
}

}  // namespace

void parallel_for(const Context& context, std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t pieces = n / grain + (n % grain != 0 ? 1 : 0);
  const auto run = [&](std::size_t piece) {
    context.check_cancelled();
    const std::size_t begin = piece * grain;
    body(begin, begin + std::min(grain, n - begin));
  };
  if (pieces <= 1 || context.thread_count() == 1) {
    for (std::size_t piece = 0; piece < pieces; ++piece) run(piece);
    return;
  }
  tbb::task_arena arena = arena_of(context);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, pieces, run, tbb::simple_partitioner{}); });
}

void ordered_pipeline(const Context& context, std::size_t in_flight, const PipelineStages& stages) {
  if (context.thread_count() == 1) {
    while (const auto item = stages.produce()) {
      context.check_cancelled();
      stages.transform(*item);
      stages.consume(*item);
    }
    return;
  }
  using Shared = std::shared_ptr<PipelineItem>;  // oneTBB copies what travels between filters
  tbb::task_arena arena = arena_of(context);
  arena.execute([&] {
    tbb::parallel_pipeline(
        in_flight, tbb::make_filter<void, Shared>(tbb::filter_mode::serial_in_order,
                                                  [&](tbb::flow_control& control) -> Shared {
                                                    context.check_cancelled();
                                                    Shared item = stages.produce();
                                                    if (!item) control.stop();
                                                    return item;
                                                  }) &
                       tbb::make_filter<Shared, Shared>(tbb::filter_mode::parallel,
                                                        [&](Shared item) {
                                                          stages.transform(*item);
                                                          return item;
                                                        }) &
                       tbb::make_filter<Shared, void>(tbb::filter_mode::serial_in_order,
                                                      [&](const Shared& item) { stages.consume(*item); }));
  });
}

}  // namespace greenkgc
