#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "greenkgc/answers.h"

namespace greenkgc::rank {

// By probability, then margin, then ids.
inline bool is_more_probable(const greenkgc::Answer& a, const greenkgc::Answer& b) {
  if (a.probability != b.probability) return a.probability > b.probability;
  if (a.margin != b.margin) return a.margin > b.margin;
  return a.fact < b.fact;
}

// The best of all that are added, at most so many.
class BestFacts {
 public:
  explicit BestFacts(std::size_t top) : top_(top) {}

  void add(const greenkgc::Answer& fact) {
    if (facts_.size() == top_) {
      if (!is_more_probable(fact, facts_.front())) return;
      std::pop_heap(facts_.begin(), facts_.end(), is_more_probable);
      facts_.pop_back();
    }
    facts_.push_back(fact);
    std::push_heap(facts_.begin(), facts_.end(), is_more_probable);
  }
  // Facts that are less probable are not among the best.
  double least_probability() const { return facts_.size() < top_ ? 0 : facts_.front().probability; }

  const std::vector<greenkgc::Answer>& in_any_order() const { return facts_; }
  std::vector<greenkgc::Answer> sorted() && {
    std::sort_heap(facts_.begin(), facts_.end(), is_more_probable);
    return std::move(facts_);
  }

 private:
  std::size_t top_;
  std::vector<greenkgc::Answer> facts_;  // a heap with the worst in front
};

}  // namespace greenkgc::rank
