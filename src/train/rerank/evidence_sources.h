#pragma once

#include <array>
#include <span>

#include "evidence/family.h"
#include "evidence/learn_walks.h"
#include "evidence/mine_rules.h"
#include "graph/dataset.h"
#include "graph/known_facts.h"

namespace greenkgc {

// What evidence is read from: facts, and the rules and walks that are learned from them.
struct EvidenceSources {
  evidence::EvidenceGraph graph;
  evidence::RuleSet rules;
  evidence::WalkSteps walks;  // none without links

  EvidenceSources(std::span<const Triple> facts, const graph::Dataset& data, bool links,
                  const Context& context)
      : graph({std::array{facts}, data.entities.size(), context}, data.entities.size(), data.relations.size(),
              context),
        rules(evidence::mine_rules(graph, {}, context)) {
    if (links) walks = evidence::learn_walks(graph, {}, context);
  }

  evidence::Sources sources() const { return {.graph = &graph, .rules = &rules, .walks = &walks}; }
};

}  // namespace greenkgc
