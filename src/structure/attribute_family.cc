#include <algorithm>

#include "structure/families.h"
#include "structure/sampled.h"
#include "structure/votes.h"

namespace greenkgc::structure {
namespace {

// Work per question: holders that are asked in all, holders of one attribute, answers of one holder.
constexpr std::size_t kMostHoldersInAll = 100'000;
constexpr std::size_t kMostAttributes = 500;
constexpr std::size_t kMostHolders = 2000;
constexpr std::size_t kMostAnswers = 64;
constexpr float kDoubt = 1;  // holders without the answer, added to each attribute's

// For each attribute of the known entity: of its other holders, how many have the candidate as an answer?
class AttributeReader : public FamilyReader {
 public:
  explicit AttributeReader(const Sources& sources)
      : counts_(sources.graph->entity_count()), votes_(sources.graph->entity_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    votes_.clear();
    const EvidenceGraph& graph = view.graph();
    const Sampled<Slot> attributes(graph.attributes(view.known()), kMostAttributes);
    if (attributes.size() == 0) return;
    most_holders_ = std::min(kMostHolders, kMostHoldersInAll / attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const Slot attribute = attributes[i];
      if (graph.owner(attribute) != view.known() && !view.leaves_out(view.known(), attribute))
        ask_holders(attribute);
    }
  }

  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    std::vector<Scored> scored;
    scored.reserve(votes_.touched().size());
    for (const std::uint32_t c : votes_.touched()) scored.push_back({EntityId{c}, votes_.find(c)->any()});
    append_best(scored, most, out);
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const Votes* found = votes_.find(index(candidates.entities[i]));
      const Votes votes = found == nullptr ? Votes() : *found;
      float* row = out.row(i);
      row[0] = votes.strongest();
      row[1] = votes.best_three();
      row[2] = votes.any();
      row[3] = static_cast<float>(votes.count());
    }
  }

 private:
  void ask_holders(Slot attribute) {
    const EvidenceGraph& graph = view_->graph();
    const Sampled<EntityId> holders(graph.members(attribute), most_holders_);
    counts_.clear();
    float asked = 0;
    for (std::size_t i = 0; i < holders.size(); ++i) {
      if (holders[i] == view_->known()) continue;
      ++asked;
      const Slot slot = view_->answer_slot(holders[i]);
      if (slot == kNoSlot) continue;
      const Sampled<EntityId> answers(graph.members(slot), kMostAnswers);
      for (std::size_t j = 0; j < answers.size(); ++j) ++counts_[index(answers[j])];
    }
    for (const std::uint32_t c : counts_.touched()) {
      if (EntityId{c} == graph.owner(attribute)) continue;  // a link
      votes_[c].add(static_cast<float>(*counts_.find(c)) / (asked + kDoubt));
    }
  }

  const QuestionView* view_ = nullptr;
  std::size_t most_holders_ = 0;
  StampedArray<std::uint32_t> counts_;  // by candidate, of one attribute
  StampedArray<Votes> votes_;           // by candidate
};

}  // namespace

Family attribute_family() {
  return {"attribute",
          {"attribute_best", "attribute_three", "attribute_any", "attribute_count"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<AttributeReader>(sources);
          }};
}

}  // namespace greenkgc::structure
