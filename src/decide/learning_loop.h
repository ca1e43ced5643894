#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "decide/learner.h"
#include "greenkgc/context.h"
#include "kernels/logistic_gradients.h"
#include "model/trees.h"

namespace greenkgc::decide {

// What engines have in common: all of learning but how one tree is grown.

// Throws kUsage for options out of range and for input that does not fit them.
void check_input(const LearnerInput& input, const LearnerOptions& options);

// Those that trees may ask for: heads, relations, tails.
std::vector<model::TripleColumn> columns_of(const LearnerInput& input);

struct GrownTree {
  model::Tree tree;  // values with shrinkage
  std::span<const std::uint8_t>
      leaves;  // of each sample, valid until the next tree; empty: they are looked up
};

// Grows the tree of this number (from 0) on one gradient per sample. Samples with hessian 0 are left out.
using GrowTree = std::function<GrownTree(std::span<const GradientPair> gradients, std::uint64_t number)>;

// Boosts, or makes a forest or a tree, as the options say: margins, gradients, shares and bootstraps of rows,
// the curve, early stopping, means. Takes checked input. Throws kInterrupted between trees.
LearnedTrees run_learning_loop(const LearnerInput& input, const LearnerOptions& options,
                               const Context& context, const GrowTree& grow);

}  // namespace greenkgc::decide
