#pragma once

#include <cstddef>
#include <memory>

#include "base/parallel.h"

namespace greenkgc {

// What parallel.cc asks of oneTBB; task_threads.cc is the only file that includes it. The thread sanitizer
// cannot follow what oneTBB's library does among its threads. So it is left out of task_threads.cc, which
// touches no data of ours, and is at work in parallel.cc, where our data go from thread to thread.

class PieceRunner {
 public:
  virtual ~PieceRunner() = default;
  virtual void run(std::size_t piece) = 0;  // in any thread, once for each piece
};

// Runs the pieces 0 to count - 1 on at most `threads` threads, one of which is the caller's. The first
// exception is rethrown here, and pieces that have not begun by then may be left out.
void run_pieces(int threads, std::size_t count, PieceRunner& runner);

// The stages of ordered_pipeline. An item is passed on by the place where it is kept.
class StageRunner {
 public:
  using Slot = std::unique_ptr<PipelineItem>*;

  virtual ~StageRunner() = default;
  virtual Slot produce() = 0;  // null: no more
  virtual void transform(Slot slot) = 0;
  virtual void consume(Slot slot) = 0;
};

// At most `in_flight` items are between produce() and the end of consume(). Exceptions as above.
void run_stages(int threads, std::size_t in_flight, StageRunner& runner);

}  // namespace greenkgc
