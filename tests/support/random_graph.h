#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "evidence/evidence_graph.h"

namespace greenkgc::evidence {

// For tests and benchmarks: facts that were drawn at random, some of them from an entity to itself, as a set
// that references can be worked out from.
struct RandomGraph {
  std::uint32_t entities;
  std::uint32_t relations;
  std::set<Triple> facts;

  RandomGraph(std::uint32_t e, std::uint32_t r, std::size_t n, std::uint64_t seed)
      : entities(e), relations(r) {
    const CounterRandom random(seed, 1);
    for (std::uint64_t i = 0; facts.size() < n; i += 3)
      facts.insert({EntityId{static_cast<std::uint32_t>(random.below(e, i))},
                    RelationId{static_cast<std::uint32_t>(random.below(r, i + 1))},
                    EntityId{static_cast<std::uint32_t>(random.below(e, i + 2))}});
  }

  EvidenceGraph indexed() const {
    const std::vector<Triple> list(facts.begin(), facts.end());
    const std::vector<std::span<const Triple>> parts = {list};
    return {graph::KnownFacts(parts, entities, {}), entities, relations, {}};
  }

  static Triple fact(EntityId from, DirectedRelation by, EntityId to) {
    if (by == towards(undirected(by), Side::kHead)) std::swap(from, to);
    return {from, undirected(by), to};
  }
  bool holds(EntityId from, DirectedRelation by, EntityId to) const {
    return facts.contains(fact(from, by, to));
  }

  std::set<EntityId> members(EntityId from, DirectedRelation by) const {
    std::set<EntityId> found;
    for (std::uint32_t e = 0; e < entities; ++e) {
      if (holds(from, by, EntityId{e})) found.insert(EntityId{e});
    }
    return found;
  }
};

}  // namespace greenkgc::evidence
