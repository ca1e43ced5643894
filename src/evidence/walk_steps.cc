#include "evidence/walk_steps.h"

#include <algorithm>
#include <utility>

#include "greenkgc/error.h"

namespace greenkgc::evidence {

WalkSteps::WalkSteps(std::vector<WalkStep> steps, std::uint32_t directed_count)
    : steps_(std::move(steps)), ends_(directed_count + std::size_t{1}) {
  for (const WalkStep& step : steps_) {
    if (step.head >= directed_count || step.step >= directed_count || step.length < kShortestWalk ||
        step.length > kLongestWalk || step.place >= step.length)
      throw Error(ErrorCode::kBadInput,
                  "a step of the walks has a relation, a length or a position that does not exist");
    ++ends_[step.head + 1];
  }
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  std::ranges::stable_sort(steps_, {}, &WalkStep::head);
}

std::span<const WalkStep> WalkSteps::of(DirectedRelation head) const {
  if (index(head) + std::size_t{1} >= ends_.size()) return {};
  return {steps_.data() + ends_[index(head)], steps_.data() + ends_[index(head) + 1]};
}

void StepTable::set(std::span<const WalkStep> steps) {
  std::ranges::fill(weights_, 0.0F);
  has_.fill(false);
  for (const WalkStep& step : steps) {
    row(step.length, step.place)[step.step] = static_cast<float>(step.weight) / kWholeWeight;
    has_[step.length] = true;
  }
}

}  // namespace greenkgc::evidence
