#pragma once

#include <compare>
#include <cstdint>

namespace greenkgc {

// Dense, from 0. Distinct types, so that a head in a relation's place does not compile.
enum class EntityId : std::uint32_t {};
enum class RelationId : std::uint32_t {};

constexpr std::uint32_t index(EntityId id) {
  return static_cast<std::uint32_t>(id);
}
constexpr std::uint32_t index(RelationId id) {
  return static_cast<std::uint32_t>(id);
}

struct Triple {
  EntityId head;
  RelationId relation;
  EntityId tail;

  friend auto operator<=>(const Triple&, const Triple&) = default;
};

// Ids stop one short of 2^32: the last value marks "none" in tables.
inline constexpr std::uint64_t kMaxIds = 0xFFFFFFFFu;
inline constexpr EntityId kNoEntity{0xFFFFFFFFu};
inline constexpr RelationId kNoRelation{0xFFFFFFFFu};

}  // namespace greenkgc
