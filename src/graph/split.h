#pragma once

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

struct SplitShares {
  double valid;
  double test;
};

// Moves a random share of train to the (empty) valid and test, seeded by context.seed, so that every entity
// and relation of train still occurs in it. Facts that occur more than once stay in train with all their
// copies. The order of facts within each split is kept, weights go with their facts. Counts are the shares
// rounded; where the condition leaves too few to move, both get fewer in proportion. The result is the same
// for any number of threads. Throws kUsage for shares below 0 or of more than 1 together, kBadInput for more
// than 2^32 - 1 facts.
void split_train(Dataset& dataset, SplitShares shares, const Context& context);

}  // namespace greenkgc::graph
