#pragma once

#include <cstddef>
#include <cstdint>

#include "evidence/evidence_graph.h"
#include "evidence/walk_steps.h"
#include "greenkgc/context.h"

namespace greenkgc::evidence {

// Bounds of the work, whatever the graph: at most about (facts + least_facts x directed relations) x rounds x
// 30 x edges.
struct WalkOptions {
  // Known facts to learn from: in all, shared out evenly over directed relations, but at least and at most so
  // many of each.
  std::uint32_t facts = 40'000;
  std::uint32_t least_facts = 50;
  std::uint32_t most_facts = 1000;
  std::uint32_t rounds = 3;
  std::size_t edges = 10'000;  // around an answer; walks are as long as its surroundings are known
};

// The steps that make known answers likeliest, by expectation and maximization from equal weights: walks from
// the known entity that do not use the fact itself, do not come back, and first meet the answer at their end.
// The same result for any number of threads.
WalkSteps learn_walks(const EvidenceGraph& graph, const WalkOptions& options, const Context& context);

}  // namespace greenkgc::evidence
