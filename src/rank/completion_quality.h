#pragma once

#include <span>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/evaluate.h"

namespace greenkgc::rank {

// Which facts would give a second value to a relation that has one: nine in ten of its heads have one tail,
// and this head has a known one already.
class SecondValues {
 public:
  // Relations are judged by both lists together (in any order, repetitions count once); a head's value is
  // known if `known` has it.
  SecondValues(std::span<const Triple> known, std::span<const Triple> hidden);

  bool contains(const Triple& fact) const;

 private:
  std::vector<Triple> known_;  // sorted
  std::vector<bool> single_;   // by relation; of those beyond its end nothing is known
};

// Judges proposals, best first and each once, by the hidden facts; `known` are those that the proposals were
// made from. Facts in both are not hidden. What is said of each relation is what would be said if it were the
// only one. Split, labels, sample and time are left out.
CompletionReport judge_proposals(std::span<const Answer> proposals, std::span<const Triple> hidden,
                                 std::span<const Triple> known);

}  // namespace greenkgc::rank
