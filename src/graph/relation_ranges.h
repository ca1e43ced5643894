#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "greenkgc/ids.h"

namespace greenkgc::graph {

// The observed heads and tails of each relation: sorted, unique; and how often each was seen. Immutable;
// copies share the lists.
class RelationRanges {
 public:
  struct Lists {
    std::span<const EntityId> entities;
    std::span<const std::uint32_t> counts;  // facts of the relation with that entity
    std::span<const std::uint64_t>
        offsets;                        // the list of relation r is entities[offsets[r] .. offsets[r + 1])
    std::shared_ptr<const void> owner;  // of what the spans show

    std::span<const EntityId> of(RelationId relation) const {
      const std::uint32_t r = index(relation);
      return {entities.data() + offsets[r], offsets[r + 1] - offsets[r]};
    }
    std::span<const std::uint32_t> counts_of(RelationId relation) const {
      const std::uint32_t r = index(relation);
      return {counts.data() + offsets[r], offsets[r + 1] - offsets[r]};
    }
    std::uint32_t count(RelationId relation, EntityId entity) const;  // 0 for one that is not listed
  };

  RelationRanges() = default;  // of no relations
  RelationRanges(std::span<const Triple> facts, std::uint32_t relation_count);
  RelationRanges(Lists heads, Lists tails) : heads_(std::move(heads)), tails_(std::move(tails)) {}

  std::span<const EntityId> heads(RelationId relation) const { return heads_.of(relation); }
  std::span<const EntityId> tails(RelationId relation) const { return tails_.of(relation); }
  const Lists& all_heads() const { return heads_; }
  const Lists& all_tails() const { return tails_; }

  // Facts of the relation with that head (tail), one per entry of heads (tails).
  std::span<const std::uint32_t> head_counts(RelationId relation) const { return heads_.counts_of(relation); }
  std::span<const std::uint32_t> tail_counts(RelationId relation) const { return tails_.counts_of(relation); }

 private:
  static Lists collect(std::span<const Triple> facts, std::uint32_t relation_count, EntityId Triple::*end);

  Lists heads_;
  Lists tails_;
};

}  // namespace greenkgc::graph
