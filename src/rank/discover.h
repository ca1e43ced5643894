#pragma once

#include <span>
#include <vector>

#include "graph/known_facts.h"
#include "graph/relation_ranges.h"
#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "rank/two_stage.h"

namespace greenkgc::rank {

struct DiscoverOptions {
  std::span<const RelationId> relations;
  std::size_t top = 1000;
  double min_probability = 0;
  // Candidates: heads and tails that the relation has here; loops only where it has some. Null: all entities.
  const graph::RelationRanges* ranges = nullptr;
  const graph::KnownFacts* known = nullptr;  // left out; never null
};

using FoundFact = greenkgc::Answer;

// The `top` best facts of these relations, asked for their tails: by probability, then margin, then ids. The
// same for any number of threads. Memory is about 40 bytes per wanted fact and thread, besides
// score_entities.
std::vector<FoundFact> discover_facts(const model::Decisions& decisions, const DiscoverOptions& options,
                                      const Context& context);

// By both stages: each head's candidates are those of its list, whatever their range; `ranges` says which
// heads are asked. Lists hold what the first stage ranks best and what the graph has evidence for, so the
// cost is that of a list per head and relation. `probability` is of the second stage's margins.
std::vector<FoundFact> discover_facts(const TwoStage& model, const model::Calibration& probability,
                                      const DiscoverOptions& options, const Context& context);

}  // namespace greenkgc::rank
