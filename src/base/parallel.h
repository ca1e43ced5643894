#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "greenkgc/context.h"

namespace greenkgc {

// The only place that starts threads. Each call uses at most context.thread_count() of them.

// Calls body(begin, end) for disjoint pieces that cover [0, n), each at most `grain` long (grain > 0). The
// pieces depend on n and grain alone, so per-piece results can be combined in order for a result that is the
// same for any number of threads. The first exception is rethrown here, the rest of the pieces may then be
// left out; between pieces the call ends with kInterrupted when the context asks for it.
void parallel_for(const Context& context, std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

// One piece of work on its way through ordered_pipeline.
struct PipelineItem {
  virtual ~PipelineItem() = default;
};

// Three stages over a stream of items: produce() makes them one after another (null: no more), transform()
// works on several at once, consume() takes them one after another in the order of production. At most
// `in_flight` items are alive. Exceptions and interruption as in parallel_for.
struct PipelineStages {
  std::function<std::unique_ptr<PipelineItem>()> produce;
  std::function<void(PipelineItem&)> transform;
  std::function<void(PipelineItem&)> consume;
};
void ordered_pipeline(const Context& context, std::size_t in_flight, const PipelineStages& stages);

}  // namespace greenkgc
