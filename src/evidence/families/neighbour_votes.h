#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "evidence/family.h"
#include "evidence/sampled.h"

namespace greenkgc::evidence {

// What neighbors of the known entity answer, each with its weight: the nearest that gives an answer, and the
// share of all weights.
class NeighbourVotes {
 public:
  explicit NeighbourVotes(const EvidenceGraph& graph) : sums_(graph.entity_count()) {}

  // Nearest first.
  void ask(const QuestionView& view, std::span<const NearEntity> neighbours) {
    view_ = &view;
    sums_.clear();
    total_ = 0;
    for (const NearEntity& near : neighbours) {
      const Slot slot = view.answer_slot(near.entity);
      if (slot == kNoSlot) continue;
      total_ += near.weight;
      const Sampled<EntityId> answers(view.graph().members(slot), kMostAnswers);
      for (std::size_t j = 0; j < answers.size(); ++j) {
        Sum& sum = sums_[index(answers[j])];
        sum.nearest = std::max(sum.nearest, near.weight);
        sum.all += near.weight;
      }
    }
  }
  void propose(std::size_t most, std::vector<EntityId>& out) const {
    append_best_of(
        sums_, *view_, [](const Sum& sum) { return sum.all; }, most, out);
  }
  void fill(EntityId candidate, float* row) const {
    const Sum* sum = sums_.find(index(candidate));
    row[0] = sum == nullptr ? 0 : sum->nearest;
    row[1] = sum == nullptr ? 0 : sum->all;
    row[2] = sum == nullptr ? 0 : sum->all / total_;
  }

 private:
  static constexpr std::size_t kMostAnswers = 64;  // of one neighbor

  struct Sum {
    float nearest = 0;
    float all = 0;
  };
  const QuestionView* view_ = nullptr;
  float total_ = 0;
  StampedArray<Sum> sums_;  // by candidate
};

}  // namespace greenkgc::evidence
