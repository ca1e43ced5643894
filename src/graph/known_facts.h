#pragma once

#include <cstdint>
#include <span>

#include "graph/fact_index.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

// The facts of one entity in one direction: others[i] is linked by relations[i]; sorted by relation, then by
// other.
struct Edges {
  std::span<const RelationId> relations;
  std::span<const EntityId> others;
};

// Which facts are known, over any union of splits: (h, r) -> tails and (r, t) -> heads, sorted and unique.
// 16 bytes per fact and 8 per entity for both directions. Immutable: const calls may run in several threads.
// An entity beyond the count has no facts.
class KnownFacts {
 public:
  KnownFacts() = default;
  // All entities are below the count. Facts may repeat; more than 2^32 - 1 of them throw kBadInput. The
  // result is the same for any number of threads; cost is linear in facts, whatever their distribution over
  // entities. While it is made, it needs 8 bytes more per fact (16 if the three ids of a fact have more than
  // 64 bits).
  KnownFacts(std::span<const std::span<const Triple>> parts, std::uint32_t entity_count,
             const Context& context);

  std::span<const EntityId> tails(EntityId head, RelationId relation) const {
    return by_head_.find(head, relation);
  }
  std::span<const EntityId> heads(RelationId relation, EntityId tail) const {
    return by_tail_.find(tail, relation);
  }
  bool contains(const Triple& fact) const;

  Edges out_edges(EntityId head) const {
    const auto row = by_head_.row(head);
    return {row.labels, row.members};
  }
  Edges in_edges(EntityId tail) const {
    const auto row = by_tail_.row(tail);
    return {row.labels, row.members};
  }

  std::uint64_t size() const { return by_head_.size(); }  // distinct facts
  std::size_t bytes() const { return by_head_.bytes() + by_tail_.bytes(); }

 private:
  FactIndex<ByHead> by_head_;
  FactIndex<ByTail> by_tail_;
};

}  // namespace greenkgc::graph
