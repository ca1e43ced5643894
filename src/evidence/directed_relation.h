#pragma once

#include <cstdint>

#include "graph/query.h"
#include "greenkgc/ids.h"

namespace greenkgc::evidence {

using graph::Query;
using graph::Side;

// A relation with the way it is followed: from heads to tails, or back. Dense: 2 r and 2 r + 1.
enum class DirectedRelation : std::uint32_t {};

constexpr std::uint32_t index(DirectedRelation relation) {
  return static_cast<std::uint32_t>(relation);
}
constexpr DirectedRelation towards(RelationId relation, Side side) {
  return DirectedRelation{2 * index(relation) + (side == Side::kHead ? 1 : 0)};
}
constexpr DirectedRelation inverse(DirectedRelation relation) {
  return DirectedRelation{index(relation) ^ 1};
}
constexpr RelationId undirected(DirectedRelation relation) {
  return RelationId{index(relation) / 2};
}

// The query that follows a directed relation from a known entity.
constexpr Query query_along(EntityId known, DirectedRelation relation, EntityId left_out = kNoEntity) {
  return {known, undirected(relation), index(relation) % 2 == 0 ? Side::kTail : Side::kHead, left_out};
}
constexpr DirectedRelation direction_of(const Query& query) {
  return towards(query.relation, query.side);
}

}  // namespace greenkgc::evidence
