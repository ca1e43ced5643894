#pragma once

#include <span>
#include <vector>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "model/tree_scores.h"
#include "rank/calibration/calibrate.h"

namespace greenkgc::rank {

// Which candidates of a query are facts, and which do not count at all.
struct Truth {
  const graph::KnownFacts& facts;  // to be found
  const graph::KnownFacts& known;  // left out, even if they are among the facts
};

// The answers of a query that are to be found, by ascending id.
std::vector<EntityId> answers_to_find(const graph::Query& query, const Truth& truth);

// Margins of all candidates of the queries. Each margin of a fact is exact, and so is the number of others
// between two of them; within that, others are put together in some 4,096 bins, about alike in size, and
// stand in the middle of theirs. Strictly ascending; the same for any number of threads. Memory is a few
// dozen bytes per fact and bin.
std::vector<CountedMargin> count_margins(const model::Decisions& decisions,
                                         std::span<const graph::Query> queries, const Truth& truth,
                                         const Context& context);

// Samples of several groups as if they were of one.
std::vector<CountedMargin> merged(std::span<const std::vector<CountedMargin>> parts);

}  // namespace greenkgc::rank
