#include <algorithm>
#include <cmath>

#include "evidence/families/families.h"
#include "evidence/families/votes.h"
#include "evidence/sampled.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kMirrorMaxAnswers = 1000;
constexpr std::size_t kMirrorMaxAttributes = 300;  // of an answer or a candidate
constexpr float kMirrorDoubt = 1;

// The question from the candidate's side: for each attribute of the candidate, how many of its other holders
// are known answers? And how much of what the candidate has, rare attributes first, do the answers have?
class MirrorReader : public FamilyReader {
 public:
  explicit MirrorReader(const Sources& sources) : counts_(sources.graph->slot_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    counts_.clear();
    const Sampled<EntityId> answers(view.answers(), kMirrorMaxAnswers);
    asked_ = static_cast<float>(answers.size());
    scale_ = answers.size() == 0 ? 0 : static_cast<float>(view.answers().size()) / asked_;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Sampled<Slot> attributes(view.graph().attributes(answers[i]), kMirrorMaxAttributes);
      for (std::size_t j = 0; j < attributes.size(); ++j) {
        if (!view.leaves_out(answers[i], attributes[j])) ++counts_[index(attributes[j])];
      }
    }
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) fill_row(candidates.entities[i], out.row(i));
  }

 private:
  void fill_row(EntityId candidate, float* row) const {
    std::fill(row, row + 5, 0.0F);
    if (asked_ == 0) return;
    const EvidenceGraph& graph = view_->graph();
    const Sampled<Slot> attributes(graph.attributes(candidate), kMirrorMaxAttributes);
    Votes votes;
    float shared = 0;
    float sum = 0;
    float all = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const Slot attribute = attributes[i];
      if (graph.owner(attribute) == view_->known()) continue;  // a link
      if (view_->leaves_out(candidate, attribute)) continue;
      const auto holders = static_cast<float>(view_->size(attribute));
      const float weight = 1 / std::log2(1 + holders);
      all += weight;
      const std::uint32_t* count = counts_.find(index(attribute));
      if (count == nullptr) continue;
      shared += weight * static_cast<float>(*count) / asked_;
      const float share = std::min(1.0F, scale_ * static_cast<float>(*count) / (holders - 1 + kMirrorDoubt));
      votes.add(share);
      sum += weight * share;
    }
    row[0] = votes.strongest();
    row[1] = votes.best_three();
    row[2] = votes.any();
    row[3] = all == 0 ? 0 : shared / all;
    row[4] = sum;
  }

  const QuestionView* view_ = nullptr;
  float asked_ = 0;                     // known answers
  float scale_ = 0;                     // from asked to all of them
  StampedArray<std::uint32_t> counts_;  // by slot: answers that have it as an attribute
};

}  // namespace

Family mirror_family() {
  return {"mirror",
          {"mirror_best", "mirror_three", "mirror_any", "mirror_shared", "mirror_sum"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<MirrorReader>(sources);
          },
          {"mirror_any", "mirror_shared", "mirror_sum"}};
}

}  // namespace greenkgc::evidence
