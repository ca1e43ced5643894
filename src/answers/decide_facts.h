#pragma once

#include <algorithm>

#include "greenkgc/score.h"

namespace greenkgc {

// Takes triples for facts or not, by thresholds of their relations; without any, by a probability of 0.5.
class FactDecider {
 public:
  explicit FactDecider(const Thresholds* thresholds) : thresholds_(thresholds) {}

  bool operator()(RelationId relation, const Score& score) const {
    if (thresholds_ == nullptr) return score.probability >= Thresholds{}.probability;
    const auto& known = thresholds_->relations;
    const auto found = std::lower_bound(
        known.begin(), known.end(), relation,
        [](const RelationThreshold& threshold, RelationId id) { return threshold.relation < id; });
    if (found == known.end() || found->relation != relation) {
      if (thresholds_->weights) return thresholds_->weights->value(score) >= 0;
      return score.probability >= thresholds_->probability;
    }
    if (found->weights) return found->weights->value(score) >= 0;
    return static_cast<double>(score.margin) >= found->margin;
  }

 private:
  const Thresholds* thresholds_;
};

}  // namespace greenkgc
