#pragma once

#include <span>
#include <string>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc {

// Facts that are known to be false: those that the data give for some splits and those of files
// (graph/fact_list.h), sorted, each once, without facts that the data have in train, valid or test: a fact
// that is both is taken to be true, and the context's log says how many are. Throws as read_fact_list does.
std::vector<Triple> known_negatives(const graph::Dataset& data, std::span<const Split> splits,
                                    std::span<const std::string> files, const Context& context);

}  // namespace greenkgc
