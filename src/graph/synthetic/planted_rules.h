#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "greenkgc/generate.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

// Entities of a type are in clusters of so many (the last one may be smaller). A cluster of anchors shares a
// cluster of targets: that is what there is to learn.
inline constexpr std::uint32_t kClusterSize = 32;

// Consecutive entities, such as those of one type.
struct EntityRun {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;

  bool contains(EntityId entity) const { return index(entity) - begin < size; }
};

// How a relation's rule leads from an entity, the anchor, to those that it is linked with, the targets.
enum class Rule {
  kOneToOne,    // the anchor's own place, shifted
  kManyToOne,   // eight anchors in a row share a target; the first targets of a cluster are preferred
  kManyToMany,  // the same, and the targets that follow it
  kSymmetric,   // the k-th target of x is y if and only if that of y is x: both are of one cluster
  kComposition  // the only target, by the second premise, of the only target by the first
};

struct PlantedRelation {
  Rule rule;
  bool reversed = false;  // facts are (target, relation, anchor) instead of (anchor, relation, target)
  EntityRun anchors;
  EntityRun targets;                  // where the rule leads
  std::uint32_t max_targets = 1;      // of one anchor
  std::uint32_t shift = 0;            // what makes this relation differ from others of the rule
  std::uint32_t first = 0;            // anchors are taken in a row from here on, and around the end
  std::uint32_t covers = 0;           // so many of them, from the first on, must have a fact
  double weight = 0;                  // facts are shared out to relations by it
  RelationId model{};                 // whose anchors it takes: its inverse's, its first premise's, its own
  RelationId premises[2] = {{}, {}};  // of a composition: both have one target per anchor
};

// How many relations the options ask for: shares are rounded down, the rest is plain.
struct RelationCounts {
  std::uint32_t plain;
  std::uint32_t symmetric;
  std::uint32_t inverse_pairs;
  std::uint32_t composition;
};
inline constexpr std::uint32_t kPlainForCompositions = 3;  // so many plain ones, or no compositions
RelationCounts count_relations(const GenerateOptions& options);

// Types, relations and rules of a synthetic graph, drawn from the options and a seed. Every entity is covered
// by one relation as an anchor.
class PlantedRules {
 public:
  // The options are valid.
  PlantedRules(const GenerateOptions& options, std::uint64_t seed);

  std::uint32_t entity_count() const { return entity_count_; }
  std::span<const EntityRun> types() const { return types_; }
  std::span<const PlantedRelation> relations() const { return relations_; }
  const PlantedRelation& operator[](RelationId relation) const { return relations_[index(relation)]; }

  // The i-th anchor that the relation takes for the k-th target: for each k a bijection of
  // [0, anchors.size). For k = 0 the first `covers` of all relations together are all entities.
  EntityId anchor(RelationId relation, std::uint32_t i, std::uint32_t k) const;

  // For k < max_targets, and one relation and anchor: rule_target() gives targets that differ for each k, or
  // none where that would be the anchor itself or past the last entity of `targets`; stray_target() gives
  // others, which differ from the anchor, from each other and from all of the former.
  std::optional<EntityId> rule_target(RelationId relation, EntityId anchor, std::uint32_t k) const;
  EntityId stray_target(RelationId relation, EntityId anchor, std::uint32_t k) const;

 private:
  std::uint32_t target_index(const PlantedRelation& relation, std::uint32_t anchor, std::uint32_t k) const;

  std::uint32_t entity_count_;
  std::vector<EntityRun> types_;  // the large ones first
  std::vector<PlantedRelation> relations_;
  CounterRandom preferred_;
  CounterRandom strays_;
};

}  // namespace greenkgc::graph
