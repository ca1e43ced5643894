#include <algorithm>

#include "evidence/families/families.h"
#include "evidence/families/votes.h"
#include "evidence/sampled.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kTypeMaxAnswers = 4096;

// The relations that a candidate has facts of are its types: of the entities that have such facts, how many
// are answers of the question's relation? The strongest type, the best three, and the mean.
class TypeReader : public FamilyReader {
 public:
  explicit TypeReader(const Sources& sources) : own_types_(sources.graph->directed_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    if (view.relation() != relation_) count_types();
    mark_left_out();
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) fill_row(candidates.entities[i], out.row(i));
  }

 private:
  // Answers of the relation, by the relations that they have.
  void count_types() {
    relation_ = view_->relation();
    const EvidenceGraph& graph = view_->graph();
    const auto answers = graph.slots_of(inverse(relation_));
    const Sampled<Slot> sample(answers, kTypeMaxAnswers);
    scale_ = sample.size() == 0 ? 0 : static_cast<float>(answers.size()) / static_cast<float>(sample.size());
    counts_.assign(graph.directed_count(), 0);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const SlotRange slots = graph.slots(graph.owner(sample[i]));
      for (std::uint32_t s = slots.first; s < slots.last; ++s) ++counts_[index(graph.relation(Slot{s}))];
    }
  }

  // Whether the entity counted as an answer.
  bool counted(EntityId entity) const {
    const EvidenceGraph& graph = view_->graph();
    const auto answers = graph.slots_of(inverse(relation_));
    const auto found = std::ranges::lower_bound(answers, entity, {}, [&](Slot s) { return graph.owner(s); });
    if (found == answers.end() || graph.owner(*found) != entity) return false;
    return Sampled<Slot>(answers, kTypeMaxAnswers).takes(static_cast<std::size_t>(found - answers.begin()));
  }

  // An answer only by the left-out fact counts no more.
  void mark_left_out() {
    own_types_.clear();
    const EntityId left_out = view_->query().left_out;
    only_left_out_ = left_out != kNoEntity && view_->range_count(left_out) == 0 && counted(left_out);
    known_lost_type_ = left_out != kNoEntity && view_->answers().empty();
    lost_count_ = known_lost_type_ && counted(view_->known()) ? 1 : 0;
    if (!only_left_out_) return;
    const SlotRange slots = view_->graph().slots(left_out);
    for (std::uint32_t s = slots.first; s < slots.last; ++s)
      own_types_[index(view_->graph().relation(Slot{s}))] = 1;
  }

  void fill_row(EntityId candidate, float* row) const {
    const EvidenceGraph& graph = view_->graph();
    const bool is_left_out = candidate == view_->query().left_out;
    const std::uint32_t itself = counted(candidate) && !(is_left_out && only_left_out_) ? 1 : 0;
    Votes votes;
    float sum = 0;
    const SlotRange slots = graph.slots(candidate);
    for (std::uint32_t s = slots.first; s < slots.last; ++s) {
      const DirectedRelation type = graph.relation(Slot{s});
      if (type == inverse(relation_) || view_->size(Slot{s}) == 0) continue;
      const float vote = share(type, itself);
      votes.add(vote);
      sum += vote;
    }
    row[0] = votes.strongest();
    row[1] = votes.best_three();
    row[2] = votes.count() == 0 ? 0 : sum / static_cast<float>(votes.count());
  }

  // Of those with that type, the candidate itself apart.
  float share(DirectedRelation type, std::uint32_t itself) const {
    std::uint32_t answers = counts_[index(type)] - itself - (own_types_.contains(index(type)) ? 1 : 0);
    std::size_t all = view_->graph().slots_of(type).size();
    if (type == relation_ && known_lost_type_) {
      --all;
      answers -= lost_count_;
    }
    return all <= 1 ? 0 : std::min(1.0F, scale_ * static_cast<float>(answers) / static_cast<float>(all - 1));
  }

  const QuestionView* view_ = nullptr;
  DirectedRelation relation_{0xFFFFFFFF};
  std::vector<std::uint32_t> counts_;  // by directed relation
  float scale_ = 0;                    // from counted answers to all of them
  bool only_left_out_ = false;         // the left-out answer is no answer any more
  bool known_lost_type_ = false;       // the known entity had no other answer
  std::uint32_t lost_count_ = 0;       // 1 if it counted with that type
  StampedArray<char> own_types_;       // of the left-out answer, where it counts no more
};

}  // namespace

Family type_family() {
  return {"type",
          {"type_best", "type_three", "type_mean"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<TypeReader>(sources);
          }};
}

}  // namespace greenkgc::evidence
