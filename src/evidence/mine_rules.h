#pragma once

#include <cstdint>

#include "evidence/evidence_graph.h"
#include "evidence/rules.h"
#include "greenkgc/context.h"

namespace greenkgc::evidence {

// Bounds of the work, whatever the graph: time is at most proportional to facts x walked^2 + known x rules x
// pairs, and that once more for each relation beyond so many that its share falls below the least.
struct MiningOptions {
  // Facts from which bodies are found that link their two ends, and entities at each end from which the pairs
  // of a body are counted: in all, shared out evenly over relations, but at least so many of each relation.
  std::uint32_t facts = 40'000;
  std::uint32_t known = 15'000;
  std::uint32_t least_facts = 100;
  std::uint32_t least_known = 50;
  std::uint32_t walked = 32;        // neighbors that are followed from an entity on the way
  std::uint32_t pairs = 200;        // counted per entity and body
  std::uint32_t rules = 50;         // kept of each relation and length, the most confident
  std::uint32_t least_support = 2;  // facts that a body must explain, in the sample
};

// Bodies of length 1 to 3 that link the ends of known facts without being that fact, and without coming back
// to either end on the way; the best of each relation by confidence. The seed is the context's; the same
// result for any number of threads.
RuleSet mine_rules(const EvidenceGraph& graph, const MiningOptions& options, const Context& context);

}  // namespace greenkgc::evidence
