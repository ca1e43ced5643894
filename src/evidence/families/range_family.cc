#include <algorithm>
#include <map>

#include "evidence/families/families.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kMostProposed = 256;  // of a relation, known answers included

// How often the candidate answers the relation: facts, and their share of the relation's facts.
class RangeReader : public FamilyReader {
 public:
  void ask(const QuestionView& view) override {
    view_ = &view;
    commonest_ = &commonest_of(view.relation());
  }
  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    std::vector<EntityId> proposed = *commonest_;
    if (view_->query().left_out != kNoEntity) put_in_place(view_->query().left_out, proposed);
    const std::size_t end = out.size() + most;
    for (const EntityId entity : proposed) {
      if (out.size() == end) return;
      if (!view_->is_answer(entity)) out.push_back(entity);
    }
  }
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    const std::uint32_t left_out = view_->query().left_out != kNoEntity ? 1 : 0;
    const std::uint32_t facts = view_->graph().fact_count(view_->relation()) - left_out;
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const auto count = static_cast<float>(view_->range_count(candidates.entities[i]));
      out.row(i)[0] = count;
      out.row(i)[1] = facts == 0 ? 0.0F : count / static_cast<float>(facts);
    }
  }

 private:
  // Where an entity stands without the fact that is left out.
  void put_in_place(EntityId entity, std::vector<EntityId>& proposed) const {
    if (std::erase(proposed, entity) == 0) return;
    const std::uint32_t count = view_->range_count(entity);
    if (count == 0) return;
    const auto is_before = [&](EntityId other) {
      const std::uint32_t others = view_->range_count(other);
      return others != count ? others > count : other < entity;
    };
    proposed.insert(std::partition_point(proposed.begin(), proposed.end(), is_before), entity);
  }

  const std::vector<EntityId>& commonest_of(DirectedRelation relation) {
    const auto [found, is_new] = by_relation_.try_emplace(relation);
    if (!is_new) return found->second;
    const EvidenceGraph& graph = view_->graph();
    BestEntities best(kMostProposed);
    for (const Slot slot : graph.slots_of(inverse(relation)))
      best.add({graph.owner(slot), static_cast<float>(graph.size(slot))});
    append_best(best, found->second);
    return found->second;
  }

  const QuestionView* view_ = nullptr;
  std::map<DirectedRelation, std::vector<EntityId>> by_relation_;  // the commonest answers of those asked yet
  const std::vector<EntityId>* commonest_ = nullptr;
};

}  // namespace

Family range_family() {
  return {"range",
          {"range_count", "range_share"},
          [](const Sources&) -> std::unique_ptr<FamilyReader> { return std::make_unique<RangeReader>(); },
          {"range_count"}};
}

}  // namespace greenkgc::evidence
