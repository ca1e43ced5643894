#include "base/parallel.h"

#include <algorithm>
#include <vector>

#include "base/task_threads.h"
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace greenkgc {
namespace {

// The thread sanitizer does not see how oneTBB orders its threads, so it is told here: what a thread did
// before hand_on(tag) happens before what a thread does after a later take_over(tag). It is told no more than
// parallel.h promises: two pieces of a loop stay unordered, and a race between them is reported.
#ifdef __SANITIZE_THREAD__
void hand_on(void* tag) {
  __tsan_release(tag);
}
void take_over(void* tag) {
  __tsan_acquire(tag);
}
#else
void hand_on(void*) {}
void take_over(void*) {}
#endif

// A scope that comes after those that handed on `from`, and before those that take over `to`, even if an
// exception ends it.
class Turn {
 public:
  Turn(void* from, void* to) : to_(to) { take_over(from); }
  explicit Turn(void* tag) : Turn(tag, tag) {}
  ~Turn() { hand_on(to_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void* to_;
};

// A call's work in many threads comes after what the caller did before it, and before what the caller does
// next.
class Call {
 public:
  Call() { hand_on(&begin_); }
  ~Call() { take_over(&end_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void* begin() { return &begin_; }
  void* end() { return &end_; }

 private:
  char begin_ = 0;  // its address is the tag, as that of `end_`
  char end_ = 0;
};

class Pieces final : public PieceRunner {
 public:
  using Body = std::function<void(std::size_t begin, std::size_t end)>;
  Pieces(const Context& context, std::size_t n, std::size_t grain, const Body& body)
      : context_(context), n_(n), grain_(grain), body_(body) {}

  std::size_t count() const { return n_ / grain_ + (n_ % grain_ != 0 ? 1 : 0); }

  void run(std::size_t piece) override {
    const Turn turn(call_.begin(), call_.end());
    context_.check_cancelled();
    const std::size_t begin = piece * grain_;
    body_(begin, begin + std::min(grain_, n_ - begin));
  }

 private:
  const Context& context_;
  const std::size_t n_;
  const std::size_t grain_;
  const Body& body_;
  Call call_;
};

// The items stay here while oneTBB passes pointers on: it would not destroy what is on its way when a stage
// throws. A slot is free again when its turn comes: items end in the order in which they began.
class Items final : public StageRunner {
 public:
  Items(const Context& context, std::size_t in_flight, const PipelineStages& stages)
      : context_(context), stages_(stages), slots_(in_flight) {}

  Slot produce() override {
    const Turn turn(call_.begin(), call_.end());
    const Turn after_the_last_produce(&produced_);
    context_.check_cancelled();
    const Slot slot = &slots_[produced_++ % slots_.size()];
    const Turn of_the_slot(slot);
    *slot = stages_.produce();
    return *slot != nullptr ? slot : nullptr;
  }

  void transform(Slot slot) override {
    const Turn turn(call_.begin(), call_.end());
    const Turn of_the_slot(slot);
    stages_.transform(**slot);
  }

  void consume(Slot slot) override {
    const Turn turn(call_.begin(), call_.end());
    const Turn after_the_last_consume(&consumed_);
    const Turn of_the_slot(slot);
    stages_.consume(**slot);
    slot->reset();
  }

 private:
  const Context& context_;
  const PipelineStages& stages_;
  std::vector<std::unique_ptr<PipelineItem>> slots_;
  std::size_t produced_ = 0;
  char consumed_ = 0;  // a tag
  Call call_;          // the last member: what it takes over is destroyed after it
};

}  // namespace

void parallel_for(const Context& context, std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  Pieces pieces(context, n, grain, body);
  const std::size_t count = pieces.count();
  if (count > 1 && context.thread_count() > 1) return run_pieces(context.thread_count(), count, pieces);
  for (std::size_t piece = 0; piece < count; ++piece) pieces.run(piece);
}

void ordered_pipeline(const Context& context, std::size_t in_flight, const PipelineStages& stages) {
  if (context.thread_count() > 1) {
    Items items(context, in_flight, stages);
    return run_stages(context.thread_count(), in_flight, items);
  }
  while (const auto item = stages.produce()) {
    context.check_cancelled();
    stages.transform(*item);
    stages.consume(*item);
  }
}

}  // namespace greenkgc
