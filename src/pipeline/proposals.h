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

// What complete() proposes with these heads, best first. Throws kUsage for a model that holds no facts.
std::vector<Answer> propose(const Model& model, const HeadSample& sample, std::uint64_t top,
                            const Context& context);

}  // namespace greenkgc
