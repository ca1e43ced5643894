#pragma once

#include <array>
#include <span>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "structure/family.h"
#include "structure/learn_walks.h"
#include "structure/mine_rules.h"

namespace greenkgc {

// What evidence is read from: facts, and the rules and walks that are learned from them.
struct EvidenceSources {
  structure::EvidenceGraph graph;
  structure::RuleSet rules;
  structure::WalkSteps walks;  // none without links

  EvidenceSources(std::span<const Triple> facts, const graph::Dataset& data, bool links,
                  const Context& context)
      : graph({std::array{facts}, data.entities.size(), context}, data.entities.size(), data.relations.size(),
              context),
        rules(structure::mine_rules(graph, {}, context)) {
    if (links) walks = structure::learn_walks(graph, {}, context);
  }

  structure::Sources sources() const { return {.graph = &graph, .rules = &rules, .walks = &walks}; }
};

}  // namespace greenkgc
