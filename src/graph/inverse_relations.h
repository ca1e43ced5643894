#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/fact_index.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/stats.h"

namespace greenkgc::graph {

// What train knows, from all sides.
struct TrainGraph {
  std::uint32_t entity_count;
  KnownFacts facts;
  FactIndex<ByPair> links;  // (h, t) -> relations
};

// Relations from one entity to one other that are looked at, the lowest ids first. Bounds the cost of a pair
// with thousands of links in both directions, and the number of pairs that are found.
inline constexpr std::size_t kMostLinks = 256;

// Calls body(relation, number of facts) for each relation among the sorted ones of an entity.
template <class Body>
void for_each_run(std::span<const RelationId> relations, const Body& body) {
  for (std::size_t begin = 0; begin < relations.size();) {
    std::size_t end = begin + 1;
    while (end < relations.size() && relations[end] == relations[begin]) ++end;
    body(relations[begin], end - begin);
    begin = end;
  }
}

// Sets the symmetry of each relation, of which train and heads are set, and returns the pairs that stats.h
// describes. Time is that of sorting the facts, and of a look-up for each fact of a relation that mostly
// holds between entities that are linked in the other direction, too.
std::vector<InversePair> find_inverses(const TrainGraph& train, std::vector<RelationStats>& relations,
                                       const Context& context);

}  // namespace greenkgc::graph
