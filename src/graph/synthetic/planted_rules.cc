#include "graph/synthetic/planted_rules.h"

#include <algorithm>
#include <bit>

#include "graph/synthetic/rule_planner.h"

namespace greenkgc::graph {

namespace {

constexpr std::uint32_t kShareTarget = 8;  // anchors in a row with the same targets
constexpr std::uint32_t kPreferredStream = 0x67656E02;
constexpr std::uint32_t kStrayStream = 0x67656E03;

// The k-th target of a place is place ^ mask. Relations have different masks for the same k.
std::uint32_t symmetric_mask(const PlantedRelation& relation, std::uint32_t k) {
  const std::uint32_t masks = std::bit_floor(std::min(kClusterSize, relation.anchors.size)) - 1;
  return (relation.shift + k) % masks + 1;
}

// An order of places in which the two of a pair (place, place ^ mask) are next to each other. A bijection of
// each cluster; a cluster that is not whole stays as it is.
std::uint32_t pairwise(std::uint32_t place, std::uint32_t mask, std::uint32_t places) {
  const std::uint32_t in_cluster = place % kClusterSize;
  const std::uint32_t cluster = place - in_cluster;
  if (places - cluster < kClusterSize) return place;
  const std::uint32_t pair = in_cluster / 2;
  const std::uint32_t top = std::bit_floor(mask);  // the bit that tells one of a pair from the other
  const std::uint32_t one = pair % top + pair / top * top * 2;
  return cluster + (in_cluster % 2 == 0 ? one : one ^ mask);
}

}  // namespace

PlantedRules::PlantedRules(const GenerateOptions& options, std::uint64_t seed)
    : entity_count_(static_cast<std::uint32_t>(options.entities)),
      types_(make_types(entity_count_, static_cast<std::uint32_t>(options.relations))),
      relations_(plan_relations(options, types_, seed)),
      preferred_(seed, kPreferredStream),
      strays_(seed, kStrayStream) {}

EntityId PlantedRules::anchor(RelationId relation, std::uint32_t i, std::uint32_t k) const {
  const PlantedRelation& planted = (*this)[relation];
  const std::uint32_t places = planted.anchors.size;
  auto place = static_cast<std::uint32_t>((std::uint64_t{planted.first} + i) % places);
  if (planted.rule == Rule::kSymmetric) place = pairwise(place, symmetric_mask(planted, k), places);
  return EntityId{planted.anchors.begin + place};
}

std::optional<EntityId> PlantedRules::rule_target(RelationId relation, EntityId anchor,
                                                  std::uint32_t k) const {
  const PlantedRelation& planted = (*this)[relation];
  const EntityId target{target_index(planted, index(anchor), k)};
  if (target == anchor || !planted.targets.contains(target)) return std::nullopt;
  return target;
}

std::uint32_t PlantedRules::target_index(const PlantedRelation& relation, std::uint32_t anchor,
                                         std::uint32_t k) const {
  const EntityRun& targets = relation.targets;
  const std::uint32_t place = anchor - relation.anchors.begin;
  switch (relation.rule) {
    case Rule::kOneToOne:
      return targets.begin +
             static_cast<std::uint32_t>((std::uint64_t{place} + relation.shift) % targets.size);
    case Rule::kSymmetric:
      return relation.anchors.begin + (place ^ symmetric_mask(relation, k));
    case Rule::kComposition:
      return target_index((*this)[relation.premises[1]],
                          target_index((*this)[relation.premises[0]], anchor, 0), 0);
    case Rule::kManyToOne:
    case Rule::kManyToMany:
      break;
  }
  const std::uint64_t anchor_clusters = (relation.anchors.size + kClusterSize - 1) / kClusterSize;
  const std::uint64_t target_clusters = std::max(1u, targets.size / kClusterSize);
  const std::uint64_t cluster =
      (place / kClusterSize * target_clusters / anchor_clusters + relation.shift / kClusterSize) %
      target_clusters;
  const double u = preferred_.unit(std::uint64_t{index(relation.model)} << 32 | place / kShareTarget);
  const auto preferred = static_cast<std::uint64_t>(u * u * u * std::min(kClusterSize, targets.size));
  return targets.begin + static_cast<std::uint32_t>((cluster * kClusterSize + preferred + k) % targets.size);
}

EntityId PlantedRules::stray_target(RelationId relation, EntityId anchor, std::uint32_t k) const {
  const PlantedRelation& planted = (*this)[relation];
  EntityRun shut = planted.targets;  // what the rule may give
  if (planted.rule == Rule::kSymmetric) {
    const std::uint32_t place = index(anchor) - planted.anchors.begin;
    shut.begin = index(anchor) - place % kClusterSize;
    shut.size = std::min(kClusterSize, planted.anchors.size - (place - place % kClusterSize));
  }
  // Places are counted from the end of `shut` around the graph; the anchor's own place, if it is among them,
  // is left out.
  const std::uint64_t entities = entity_count_;
  const std::uint64_t after = (std::uint64_t{shut.begin} + shut.size) % entities;
  const std::uint64_t anchor_place = (index(anchor) + entities - after) % entities;
  const std::uint64_t open = entities - shut.size;
  const bool anchor_is_open = anchor_place < open;
  const std::uint64_t places = open - (anchor_is_open ? 1 : 0);
  constexpr std::uint64_t kStep = 4'294'967'291;  // a prime larger than any number of places
  const std::uint64_t begin = strays_.below(places, std::uint64_t{index(anchor)} << 32 | index(relation));
  std::uint64_t place = (begin + k * (kStep % places)) % places;
  if (anchor_is_open && place >= anchor_place) ++place;
  return EntityId{static_cast<std::uint32_t>((after + place) % entities)};
}

}  // namespace greenkgc::graph
