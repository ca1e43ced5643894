#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evidence/evidence_graph.h"
#include "greenkgc/context.h"

namespace greenkgc::evidence {

// Which relations go together. An entity's profile is the set of directed relations that it has; entities
// with a similar profile are likely to have the same ones. Immutable; memory is 8 bytes per pair of directed
// relations that some entity has both of, and making it costs the sum of the squared sizes of all profiles.
class Profiles {
 public:
  Profiles(const EvidenceGraph& graph, const Context& context);

  // How likely an entity has a relation: of the entities that share one of its other relations, the share
  // that has this one, for the relation where that is largest. The entity itself does not count, so a fact of
  // its own changes nothing. 0 if it has no other relation.
  float share(EntityId entity, DirectedRelation relation) const;

  // The entities that have the relation or a share of at least `min_share`, ascending. `min_share` is above
  // 0. The cost is that of the entities that have one of the relations that go with this one.
  std::vector<EntityId> likely(DirectedRelation relation, float min_share) const;

  // Of the entities that have the relation, how many have exactly one fact of it.
  std::uint32_t single(DirectedRelation relation) const { return single_[index(relation)]; }

 private:
  // A relation that occurs together with another one, and the number of entities that have both.
  struct Companion {
    DirectedRelation relation;
    std::uint32_t entities;
  };
  std::span<const Companion> companions(DirectedRelation relation) const {
    const std::size_t r = index(relation);
    return std::span(companions_).subspan(ends_[r], ends_[r + 1] - ends_[r]);
  }

  const EvidenceGraph& graph_;
  std::vector<Companion> companions_;  // of relation after relation, each by ascending relation
  std::vector<std::size_t> ends_;      // where those of a relation begin; one more than relations
  std::vector<std::uint32_t> single_;  // by relation
};

}  // namespace greenkgc::evidence
