#pragma once

#include <span>
#include <string>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/model.h"

namespace greenkgc {

// Reads facts that are not to be proposed: lines of head, relation and tail in the model's labels, separated
// by tabs, plain or compressed. Further columns are ignored, so lists that `complete` wrote can be given;
// blank lines are skipped. Facts with a label that the model does not know could not be proposed anyway: they
// are counted, and the context's log says how many. Throws kBadInput with file and line for a line with fewer
// columns.
graph::KnownFacts read_excluded_facts(const Model& model, std::span<const std::string> files,
                                      const Context& context);

}  // namespace greenkgc
