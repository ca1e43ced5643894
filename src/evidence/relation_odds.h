#pragma once

#include <cstdint>
#include <vector>

#include "evidence/evidence_graph.h"
#include "evidence/profiles.h"
#include "greenkgc/context.h"

namespace greenkgc::evidence {

// How likely an entity has a relation at all, told by what else it has: for each relation a naive Bayes
// classifier over the few attributes that tell most, learned from the entities for which the profile says
// that they are likely to have it (Profiles::likely). An attribute is another relation, or a value of one
// that some entities share. Where a profile knows what kind of entity has the relation, this tells apart
// those of the kind. Immutable; memory is at most 384 bytes a relation. Making it costs, for each relation,
// the degrees of the likely entities.
class RelationOdds {
 public:
  RelationOdds(const EvidenceGraph& graph, const Profiles& profiles, float min_share, const Context& context);

  // Log-odds that the entity has the relation. What it has of the relation itself does not count.
  float log_odds(EntityId entity, DirectedRelation relation) const;

 private:
  struct Attribute {
    std::uint32_t id;       // of a directed relation, or their number and a slot
    std::uint32_t holders;  // among the likely entities
    std::uint32_t with;     // of them, those that have the relation
  };
  struct Classifier {
    std::uint32_t entities = 0;
    std::uint32_t with = 0;
    std::vector<Attribute> attributes;  // by ascending id
  };

  template <class Visit>
  void each_attribute(EntityId entity, DirectedRelation relation, const Visit& visit) const;

  const EvidenceGraph& graph_;
  const Profiles& profiles_;
  const float min_share_;
  std::vector<Classifier> classifiers_;  // by relation
};

}  // namespace greenkgc::evidence
