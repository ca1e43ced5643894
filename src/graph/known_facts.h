#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
class KnownFacts {
 public:
  KnownFacts() = default;
  // All ids are below the counts. Facts may repeat. The result is the same for any number of threads; cost is
  // linear in facts, apart from the sort within an entity.
  KnownFacts(std::span<const std::span<const Triple>> parts, std::uint32_t entity_count,
             const Context& context);

  std::span<const EntityId> tails(EntityId head, RelationId relation) const {
    return by_head_.find(head, relation);
  }
  std::span<const EntityId> heads(RelationId relation, EntityId tail) const {
    return by_tail_.find(tail, relation);
  }
  bool contains(const Triple& fact) const;

  Edges out_edges(EntityId head) const { return by_head_.edges(head); }
  Edges in_edges(EntityId tail) const { return by_tail_.edges(tail); }

  std::uint64_t size() const { return by_head_.others.size(); }  // distinct facts
  std::size_t bytes() const;

 private:
  // One direction. The edges of entity e are at [offsets[e], offsets[e + 1]).
  struct Side {
    std::vector<std::uint32_t> offsets;  // one per entity, and one more
    std::vector<RelationId> relations;
    std::vector<EntityId> others;

    Edges edges(EntityId entity) const;
    std::span<const EntityId> find(EntityId entity, RelationId relation) const;
  };
  enum class Direction { kByHead, kByTail };
  static Side build(std::span<const std::span<const Triple>> parts, std::uint32_t entity_count,
                    Direction direction, const Context& context);

  Side by_head_;
  Side by_tail_;
};

}  // namespace greenkgc::graph
