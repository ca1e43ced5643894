#include <algorithm>
#include <cmath>

#include "evidence/families/families.h"
#include "evidence/families/votes.h"
#include "evidence/sampled.h"

namespace greenkgc::evidence {
namespace {

// Work per question: holders that are asked in all, holders of one attribute, answers of one holder.
constexpr std::size_t kAttributeMaxHoldersInAll = 100'000;
constexpr std::size_t kAttributeMaxCount = 500;
constexpr std::size_t kAttributeMaxHolders = 2000;
constexpr std::size_t kAttributeMaxAnswers = 64;
constexpr float kAttributeDoubt = 1;  // holders without the answer, added to each attribute's

// For each attribute of the known entity: of its other holders, how many have the candidate as an answer? The
// strongest, the best three, any; how many speak; their sum, in which the rarer of them weigh more; and the
// same for the other known answers alone: who has them as answers, what else has it?
class AttributeReader : public FamilyReader {
 public:
  explicit AttributeReader(const Sources& sources)
      : counts_(sources.graph->entity_count()), cells_(sources.graph->entity_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    cells_.clear();
    const EvidenceGraph& graph = view.graph();
    const Sampled<Slot> attributes(graph.attributes(view.known()), kAttributeMaxCount);
    if (attributes.size() == 0) return;
    most_holders_ = std::min(kAttributeMaxHolders, kAttributeMaxHoldersInAll / attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const Slot attribute = attributes[i];
      if (graph.owner(attribute) != view.known() && !view.leaves_out(view.known(), attribute))
        ask_holders(attribute);
    }
  }

  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    append_best_of(
        cells_, *view_, [](const Cell& cell) { return cell.sum; }, most, out);
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const Cell* found = cells_.find(index(candidates.entities[i]));
      const Cell cell = found == nullptr ? Cell() : *found;
      float* row = out.row(i);
      row[0] = cell.votes.strongest();
      row[1] = cell.votes.best_three();
      row[2] = cell.votes.any();
      row[3] = static_cast<float>(cell.votes.count());
      row[4] = cell.sum;
      row[5] = cell.answering_best;
      row[6] = cell.answering_sum;
      row[7] = cell.co_best;
      row[8] = cell.co_sum;
    }
  }

 private:
  struct Cell {
    Votes votes;
    float sum = 0;
    float answering_best = 0;  // shares of those holders that answer at all
    float answering_sum = 0;
    float co_best = 0;
    float co_sum = 0;
  };

  void ask_holders(Slot attribute) {
    const EvidenceGraph& graph = view_->graph();
    const Sampled<EntityId> holders(graph.members(attribute), most_holders_);
    counts_.clear();
    float asked = 0;
    float answering = 0;
    for (std::size_t i = 0; i < holders.size(); ++i) {
      if (holders[i] == view_->known()) continue;
      ++asked;
      const Slot slot = view_->answer_slot(holders[i]);
      if (slot == kNoSlot) continue;
      ++answering;
      const Sampled<EntityId> answers(graph.members(slot), kAttributeMaxAnswers);
      for (std::size_t j = 0; j < answers.size(); ++j) ++counts_[index(answers[j])];
    }
    const float weight = 1 / std::log2(2 + asked);
    const bool co_answer = graph.relation(attribute) == inverse(view_->relation());
    for (const std::uint32_t c : counts_.touched()) {
      if (EntityId{c} == graph.owner(attribute)) continue;  // a link
      Cell& cell = cells_[c];
      const auto count = static_cast<float>(*counts_.find(c));
      const float share = count / (asked + kAttributeDoubt);
      cell.votes.add(share);
      cell.sum += weight * share;
      const float among_answering = count / (answering + kAttributeDoubt);
      cell.answering_best = std::max(cell.answering_best, among_answering);
      cell.answering_sum += among_answering;
      if (!co_answer) continue;
      cell.co_best = std::max(cell.co_best, share);
      cell.co_sum += share;
    }
  }

  const QuestionView* view_ = nullptr;
  std::size_t most_holders_ = 0;
  StampedArray<std::uint32_t> counts_;  // by candidate, of one attribute
  StampedArray<Cell> cells_;            // by candidate
};

}  // namespace

Family attribute_family() {
  return {"attribute",
          {"attribute_best", "attribute_three", "attribute_any", "attribute_count", "attribute_sum",
           "answering_best", "answering_sum", "co_answer_best", "co_answer_sum"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<AttributeReader>(sources);
          },
          {"attribute_any", "attribute_sum", "answering_sum", "co_answer_sum"}};
}

}  // namespace greenkgc::evidence
