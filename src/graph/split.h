#pragma once

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

struct SplitShares {
  double valid;
  double test;
};

// Moves a random share of train to the (empty) valid and test, seeded by context.seed, so that every entity
// and relation of the graph still occurs in train. Facts that occur more than once stay in train with all
// their copies. The order of facts within each split is kept. Where the condition leaves too few to move,
// fewer are moved.
void split_train(Dataset& dataset, SplitShares shares, const Context& context);

}  // namespace greenkgc::graph
