#pragma once

#include <array>
#include <span>
#include <vector>

#include "structure/evidence_graph.h"
#include "structure/question.h"
#include "structure/stamped_array.h"

namespace greenkgc::structure {

// The graph as one question sees it: without the fact that is left out. Asking the questions of a relation
// one after another is cheapest; a lone one costs no more where its relation has a million facts. One per
// thread; keeps a reference to the graph.
class QuestionView {
 public:
  explicit QuestionView(const EvidenceGraph& graph);

  void set(const Question& question);  // its ids are below the graph's counts

  const EvidenceGraph& graph() const { return graph_; }
  const Question& question() const { return question_; }
  EntityId known() const { return question_.known; }
  DirectedRelation relation() const { return question_.relation; }

  // The known answers, ascending.
  std::span<const EntityId> answers() const {
    return question_.left_out == kNoEntity ? own_members_ : std::span<const EntityId>(answers_);
  }
  bool is_answer(EntityId entity) const;

  // What another entity answers to the question's relation; the left-out fact is the known entity's own, so
  // it cannot be among these.
  Slot answer_slot(EntityId other) const {
    if (!has_slots_) return graph_.find(other, question_.relation);
    const Slot* slot = slot_of_.find(index(other));
    return slot == nullptr ? kNoSlot : *slot;
  }
  // Whether the known entity's edge is the left-out fact.
  bool leaves_out(DirectedRelation relation, EntityId member) const {
    if (member != question_.left_out) return false;
    const bool is_loop = member == question_.known;
    return relation == question_.relation || (is_loop && relation == inverse(question_.relation));
  }
  // Whether an attribute of an entity comes from the left-out fact.
  bool leaves_out(EntityId holder, Slot attribute) const {
    return (holder == question_.known && attribute == left_out_slots_[1]) ||
           (holder == question_.left_out && attribute == left_out_slots_[0]);
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
  // Facts of the question's relation with this answer.
  std::uint32_t range_count(EntityId candidate) const;
  std::uint32_t degree(EntityId entity) const;

 private:
  static constexpr std::size_t kMostSlots = 20'000;  // of a relation that are laid out by owner

  void lay_out_slots();

  const EvidenceGraph& graph_;
  Question question_{EntityId{0}, DirectedRelation{0xFFFFFFFF}, kNoEntity};
  // Of the known entity and of the left-out answer: the left-out fact is a part of both.
  std::array<Slot, 2> left_out_slots_{kNoSlot, kNoSlot};
  std::span<const EntityId> own_members_;  // the left-out answer included
  std::vector<EntityId> answers_;          // without it, where there is one
  bool has_slots_ = false;                 // slot_of_ is that of the question's relation
  StampedArray<Slot> slot_of_;             // by owner
};

}  // namespace greenkgc::structure
