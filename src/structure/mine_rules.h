#pragma once

#include <cstdint>

#include "greenkgc/context.h"
#include "structure/evidence_graph.h"
#include "structure/rules.h"

namespace greenkgc::structure {

// Bounds of the work: time is at most proportional to relations x (facts x walked^2 + rules x known x
// walked), whatever the graph.
struct MiningOptions {
  std::uint32_t facts = 150;        // sampled of each relation, to find bodies that link their two ends
  std::uint32_t walked = 32;        // neighbours that are followed from an entity on the way
  std::uint32_t known = 60;         // entities at each end from which the pairs of a body are counted
  std::uint32_t pairs = 200;        // counted per entity and body
  std::uint32_t rules = 50;         // kept of each relation and length, the most confident
  std::uint32_t least_support = 2;  // facts that a body must explain, in the sample
};

// Bodies of length 1 to 3 that link the ends of known facts without being that fact, and without coming back
// to either end on the way; the best of each relation by confidence. The seed is the context's; the same
// result for any number of threads.
RuleSet mine_rules(const EvidenceGraph& graph, const MiningOptions& options, const Context& context);

}  // namespace greenkgc::structure
