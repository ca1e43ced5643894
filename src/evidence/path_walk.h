#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evidence/evidence_graph.h"
#include "evidence/rules.h"
#include "evidence/sampled.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {

// Bounds of a walk.
struct WalkLimits {
  std::size_t members;  // that are followed from one entity by one step
  std::size_t on_way;   // entities that are followed on, after each step but the last
  std::size_t steps;    // last ones of all
};

// Where the body of a rule leads from an entity. The way never comes back to where it started, nor through
// where it ends. Walks by bodies with the same first steps, one after another, share the work. One per
// thread; keeps a reference.
class PathWalk {
 public:
  PathWalk(const EvidenceGraph& graph, const WalkLimits& limits)
      : graph_(graph), limits_(limits), reached_(graph.entity_count()), ends_(graph.entity_count()) {}

  // The fact from `start` to `not_over` by `not_by` is not walked over; kNoEntity: none such.
  void begin(EntityId start, DirectedRelation not_by, EntityId not_over);
  // Each end once; ascending by the way that found it. Valid until the next call. Body of 2 or 3 steps.
  std::span<const std::uint32_t> ends(std::span<const DirectedRelation> body);

 private:
  struct Via {
    EntityId entity;
    EntityId before;  // the one step before, if there is only one such; else kNoEntity
  };
  void walk_first(DirectedRelation step);
  void walk_second(DirectedRelation step);

  const EvidenceGraph& graph_;
  WalkLimits limits_;
  EntityId start_{};
  EntityId not_over_ = kNoEntity;
  DirectedRelation not_by_{};
  // Where the last walk was after one and two steps.
  DirectedRelation first_step_{};
  DirectedRelation second_step_{};
  bool has_first_ = false;
  bool has_second_ = false;
  std::vector<EntityId> firsts_;
  std::vector<Via> seconds_;
  StampedArray<std::uint32_t> reached_;  // by entity: its place in seconds_
  StampedArray<char> ends_;
};

}  // namespace greenkgc::evidence
