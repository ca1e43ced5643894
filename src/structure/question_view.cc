#include "structure/question_view.h"

#include <algorithm>

namespace greenkgc::structure {

QuestionView::QuestionView(const EvidenceGraph& graph) : graph_(graph), slot_of_(graph.entity_count()) {}

void QuestionView::set(const Question& question) {
  if (question.relation != question_.relation) {
    slot_of_.clear();
    for (const Slot slot : graph_.slots_of(question.relation)) slot_of_[index(graph_.owner(slot))] = slot;
  }
  question_ = question;
  const Slot own = answer_slot(question.known);
  answers_.clear();
  left_out_slots_ = {kNoSlot, kNoSlot};
  if (question.left_out != kNoEntity)
    left_out_slots_ = {own, graph_.find(question.left_out, inverse(question.relation))};
  if (own == kNoSlot) return;
  std::ranges::copy_if(graph_.members(own), std::back_inserter(answers_),
                       [&](EntityId answer) { return answer != question.left_out; });
}

bool QuestionView::is_answer(EntityId entity) const {
  return std::binary_search(answers_.begin(), answers_.end(), entity);
}

std::uint32_t QuestionView::range_count(EntityId candidate) const {
  const Slot slot = graph_.find(candidate, inverse(relation()));
  return slot == kNoSlot ? 0 : size(slot);
}

std::uint32_t QuestionView::degree(EntityId entity) const {
  if (question_.left_out == kNoEntity) return graph_.degree(entity);
  // A fact from an entity to itself is an edge of it twice.
  return graph_.degree(entity) - (entity == question_.known ? 1 : 0) - (entity == question_.left_out ? 1 : 0);
}

}  // namespace greenkgc::structure
