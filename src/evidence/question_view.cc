#include "evidence/question_view.h"

#include <algorithm>

namespace greenkgc::evidence {

QuestionView::QuestionView(const EvidenceGraph& graph) : graph_(graph), slot_of_(graph.entity_count()) {}

void QuestionView::set(const Query& query) {
  const bool same_relation = direction_of(query) == relation_;
  query_ = query;
  relation_ = direction_of(query);
  if (!same_relation) lay_out_slots();
  const Slot own = answer_slot(query.known);
  own_members_ = own == kNoSlot ? std::span<const EntityId>() : graph_.members(own);
  left_out_slots_ = {kNoSlot, kNoSlot};
  if (query.left_out == kNoEntity) return;
  left_out_slots_ = {own, graph_.find(query.left_out, inverse(relation_))};
  answers_.assign(own_members_.begin(), own_members_.end());
  std::erase(answers_, query.left_out);
}

void QuestionView::lay_out_slots() {
  const auto slots = graph_.slots_of(relation_);
  has_slots_ = slots.size() <= kMostSlots;
  if (!has_slots_) return;
  slot_of_.clear();
  for (const Slot slot : slots) slot_of_[index(graph_.owner(slot))] = slot;
}

bool QuestionView::is_answer(EntityId entity) const {
  return entity != query_.left_out && std::binary_search(own_members_.begin(), own_members_.end(), entity);
}

std::uint32_t QuestionView::range_count(EntityId candidate) const {
  const Slot slot = graph_.find(candidate, inverse(relation()));
  return slot == kNoSlot ? 0 : size(slot);
}

std::uint32_t QuestionView::degree(EntityId entity) const {
  if (query_.left_out == kNoEntity) return graph_.degree(entity);
  // A fact from an entity to itself is an edge of it twice.
  return graph_.degree(entity) - (entity == query_.known ? 1 : 0) - (entity == query_.left_out ? 1 : 0);
}

}  // namespace greenkgc::evidence
