#pragma once

#include <span>
#include <string>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/model.h"

namespace greenkgc::answers {

// Facts that are not to be proposed: those that the model holds as known to be false, and those of the files
// (graph/io/fact_list.h). Throws as read_fact_list does.
graph::KnownFacts read_excluded_facts(const Model& model, std::span<const std::string> files,
                                      const Context& context);

}  // namespace greenkgc::answers
