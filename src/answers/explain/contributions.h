#pragma once

#include <array>
#include <vector>

#include "greenkgc/answers.h"
#include "model/decisions.h"

namespace greenkgc::answers {

// What the trees of a group add to a fact's margin, by the columns that their splits ask for. The value of a
// node is the mean of the leaves below it, each counted once (a model does not keep how many samples reached
// them). On the way to its leaf a fact passes from node to node; the change of value at each step is credited
// to the column that was asked. So the expected value, which is that of all roots, and the credits add up to
// what the leaves add, up to rounding in double.
struct TreeContributions {
  double expected = 0;
  std::vector<Contribution> dimensions;  // those that were asked for, in ascending order
};

TreeContributions contributions_of(const model::Decisions& decisions, const Triple& fact);

// The parts of what the margin begins with before any tree; asked for its tail.
BaseParts base_parts_of(const model::Decisions& decisions, const Triple& fact);

}  // namespace greenkgc::answers
