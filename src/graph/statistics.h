#pragma once

#include "graph/dataset.h"
#include "greenkgc/context.h"
#include "greenkgc/stats.h"

namespace greenkgc::graph {

// What greenkgc/stats.h describes. Linear in facts and entities, apart from sorts.
GraphStats statistics(const Dataset& dataset, const Context& context);

}  // namespace greenkgc::graph
