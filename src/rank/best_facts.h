#pragma once

#include "base/top_k.h"
#include "greenkgc/answers.h"

namespace greenkgc::rank {

// By probability, since scores of different relations cannot be compared, then by score and ids.
struct IsMoreProbable {
  bool operator()(const greenkgc::Answer& a, const greenkgc::Answer& b) const {
    if (a.probability != b.probability) return a.probability > b.probability;
    if (a.margin != b.margin) return a.margin > b.margin;
    return a.fact < b.fact;
  }
};

using BestFacts = TopK<greenkgc::Answer, IsMoreProbable>;

// Facts that are less probable are not among the best.
inline double min_probability(const BestFacts& best) {
  return best.threshold() == nullptr ? 0 : best.threshold()->probability;
}

}  // namespace greenkgc::rank
