#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evidence/directed_relation.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::evidence {

// The place of an entity's facts of one directed relation. Seen from a member, a slot is an attribute that it
// shares with the other members: (lives in, Oslo) is the slot of Oslo by the inverse of "lives in", and its
// members are those that live there.
enum class Slot : std::uint32_t {};
inline constexpr Slot kNoSlot{0xFFFFFFFFu};
constexpr std::uint32_t index(Slot slot) {
  return static_cast<std::uint32_t>(slot);
}

// Slots first, first + 1, ... below last.
struct SlotRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  std::uint32_t size() const { return last - first; }
};

// The known facts, each followed both ways. 16 bytes per fact, 16 per slot and 4 per entity; cost of making
// it is linear but for a binary search per fact. Immutable: const calls may run in several threads.
class EvidenceGraph {
 public:
  // All ids of the facts are below the counts. More than 2^31 - 1 facts throw kBadInput.
  EvidenceGraph(const graph::KnownFacts& facts, std::uint32_t entity_count, std::uint32_t relation_count,
                const Context& context);

  std::uint32_t entity_count() const { return static_cast<std::uint32_t>(first_slots_.size()) - 1; }
  std::uint32_t directed_count() const { return static_cast<std::uint32_t>(by_relation_ends_.size()) - 1; }
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(relations_.size()); }
  std::size_t fact_count() const { return members_.size() / 2; }

  // Those of an entity, by ascending relation.
  SlotRange slots(EntityId entity) const {
    return {first_slots_[index(entity)], first_slots_[index(entity) + 1]};
  }
  Slot find(EntityId entity, DirectedRelation relation) const;  // kNoSlot: it has no such fact

  DirectedRelation relation(Slot slot) const { return relations_[index(slot)]; }
  EntityId owner(Slot slot) const { return owners_[index(slot)]; }
  // Ascending, each once.
  std::span<const EntityId> members(Slot slot) const {
    return {members_.data() + ends_[index(slot)], members_.data() + ends_[index(slot) + 1]};
  }
  // For each member the slot by which it leads back to the owner: its attribute.
  std::span<const Slot> attributes(Slot slot) const {
    return {backs_.data() + ends_[index(slot)], backs_.data() + ends_[index(slot) + 1]};
  }
  std::uint32_t size(Slot slot) const { return ends_[index(slot) + 1] - ends_[index(slot)]; }

  // Members of the slot; none where there is no such slot.
  std::span<const EntityId> members(EntityId entity, DirectedRelation relation) const;
  // All of the entity, slot by slot.
  std::span<const EntityId> neighbours(EntityId entity) const;
  std::span<const Slot> attributes(EntityId entity) const;
  std::uint32_t degree(EntityId entity) const {
    return static_cast<std::uint32_t>(neighbours(entity).size());
  }

  // The slots of a relation, by ascending owner; and how many facts they have.
  std::span<const Slot> slots_of(DirectedRelation relation) const;
  std::uint32_t fact_count(DirectedRelation relation) const { return fact_counts_[index(relation)]; }

  std::size_t bytes() const;

 private:
  void add_slots(EntityId entity, const graph::KnownFacts& facts);
  void find_backs(const Context& context);
  void list_by_relation(std::uint32_t directed_count);

  std::vector<std::uint32_t> first_slots_;   // one per entity, and one more
  std::vector<DirectedRelation> relations_;  // one per slot
  std::vector<EntityId> owners_;             // one per slot
  std::vector<std::uint32_t> ends_;          // where the members of a slot begin; one per slot, and one more
  std::vector<EntityId> members_;
  std::vector<Slot> backs_;  // one per member

  std::vector<Slot> by_relation_;
  std::vector<std::uint32_t> by_relation_ends_;  // one per directed relation, and one more
  std::vector<std::uint32_t> fact_counts_;       // one per directed relation
};

}  // namespace greenkgc::evidence
