#pragma once

#include <compare>
#include <cstdint>

#include "greenkgc/ids.h"
#include "model/kge_model.h"

namespace greenkgc::structure {

// A relation with the way it is followed: from heads to tails, or back. Dense: 2 r and 2 r + 1.
enum class DirectedRelation : std::uint32_t {};

constexpr std::uint32_t index(DirectedRelation relation) {
  return static_cast<std::uint32_t>(relation);
}
constexpr DirectedRelation towards(RelationId relation, model::Side side) {
  return DirectedRelation{2 * index(relation) + (side == model::Side::kHead ? 1 : 0)};
}
constexpr DirectedRelation inverse(DirectedRelation relation) {
  return DirectedRelation{index(relation) ^ 1};
}
constexpr RelationId undirected(DirectedRelation relation) {
  return RelationId{index(relation) / 2};
}

// Which entities are linked to a known one by a relation? Where the question was made from a known fact, its
// answer is left out: the graph is then read as if that one fact were not in it.
struct Question {
  EntityId known;
  DirectedRelation relation;
  EntityId left_out = kNoEntity;

  friend bool operator==(const Question&, const Question&) = default;
};

}  // namespace greenkgc::structure
