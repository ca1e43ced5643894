#pragma once

#include <cstdint>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "greenkgc/model.h"

namespace greenkgc {

// Some of a model's entities, as heads of facts.
struct HeadSample {
  std::vector<EntityId> heads;  // ascending; empty: all entities

  bool all() const { return heads.empty(); }
  bool contains(EntityId head) const;
};

// As many heads as asked for, chosen by the seed; all of them for 0 or as many as there are.
HeadSample sample_heads(const Model& model, std::uint64_t count, const Context& context);

// How many heads can be completed within about a quarter of a minute on one core; 0: all. Depends on the
// model alone.
std::uint64_t affordable_heads(const Model& model, const Context& context);

// The best that complete() proposes with these heads, best first. Throws kUsage for a model that holds no
// facts.
std::vector<Answer> propose(const Model& model, const HeadSample& sample, std::uint64_t top,
                            const Context& context);

// Some of the best that complete() proposes, best first, found within a few seconds. Where trees judge facts,
// those of the queries that are most likely to have a missing answer; otherwise those of a sample of heads.
struct QuickProposals {
  std::vector<Answer> facts;
  std::uint64_t sampled_heads = 0;  // 0: all
};
QuickProposals propose_some(const Model& model, std::uint64_t top, const Context& context);

}  // namespace greenkgc
