#pragma once

#include <array>
#include <span>
#include <vector>

#include "evidence/directed_relation.h"
#include "evidence/evidence_graph.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {

// The graph as one query sees it: without the fact that is left out. Asking the queries of a relation
// one after another is cheapest; a lone one costs no more where its relation has a million facts. One per
// thread; keeps a reference to the graph.
class QuestionView {
 public:
  explicit QuestionView(const EvidenceGraph& graph);

  void set(const Query& query);  // its ids are below the graph's counts

  const EvidenceGraph& graph() const { return graph_; }
  const Query& query() const { return query_; }
  EntityId known() const { return query_.known; }
  DirectedRelation relation() const { return relation_; }

  // The known answers, ascending.
  std::span<const EntityId> answers() const {
    return query_.left_out == kNoEntity ? own_members_ : std::span<const EntityId>(answers_);
  }
  bool is_answer(EntityId entity) const;

  // What another entity answers to the query's relation; the left-out fact is the known entity's own, so
  // it cannot be among these.
  Slot answer_slot(EntityId other) const {
    if (!has_slots_) return graph_.find(other, relation_);
    const Slot* slot = slot_of_.find(index(other));
    return slot == nullptr ? kNoSlot : *slot;
  }
  // Whether the known entity's edge is the left-out fact.
  bool leaves_out(DirectedRelation relation, EntityId member) const {
    if (member != query_.left_out) return false;
    const bool is_loop = member == query_.known;
    return relation == relation_ || (is_loop && relation == inverse(relation_));
  }
  // Whether an attribute of an entity comes from the left-out fact.
  bool leaves_out(EntityId holder, Slot attribute) const {
    return (holder == query_.known && attribute == left_out_slots_[1]) ||
           (holder == query_.left_out && attribute == left_out_slots_[0]);
  }
  // How many members a slot has.
  std::uint32_t size(Slot slot) const {
    return graph_.size(slot) - (slot == left_out_slots_[0] || slot == left_out_slots_[1] ? 1 : 0);
  }
  // Relations that an entity has only the left-out fact of.
  std::uint32_t lost_relations(EntityId entity) const {
    std::uint32_t lost = 0;
    for (const Slot slot : left_out_slots_) {
      if (slot != kNoSlot && graph_.owner(slot) == entity && graph_.size(slot) == 1) ++lost;
    }
    return lost;
  }
  // Facts of the query's relation with this answer.
  std::uint32_t range_count(EntityId candidate) const;
  std::uint32_t degree(EntityId entity) const;

 private:
  static constexpr std::size_t kMostSlots = 20'000;  // of a relation that are laid out by owner

  void lay_out_slots();

  const EvidenceGraph& graph_;
  Query query_{EntityId{0}, kNoRelation, Side::kTail};
  DirectedRelation relation_{0xFFFFFFFF};  // the query's
  // Of the known entity and of the left-out answer: the left-out fact is a part of both.
  std::array<Slot, 2> left_out_slots_{kNoSlot, kNoSlot};
  std::span<const EntityId> own_members_;  // the left-out answer included
  std::vector<EntityId> answers_;          // without it, where there is one
  bool has_slots_ = false;                 // slot_of_ is that of the query's relation
  StampedArray<Slot> slot_of_;             // by owner
};

}  // namespace greenkgc::evidence
