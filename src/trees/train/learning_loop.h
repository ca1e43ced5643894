#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "simd/trees/logistic_gradients.h"
#include "trees/train/learner.h"
#include "trees/trees.h"

namespace greenkgc::trees {

// What engines have in common: all of learning but how one tree is grown.

// Throws kUsage for options out of range and for input that does not fit them.
void check_input(const LearnerInput& input, const LearnerOptions& options);

// Those that trees may ask for: heads, relations, tails.
std::vector<trees::TripleColumn> columns_of(const LearnerInput& input);

// Takes the leaves (nodes of the tree) of the samples begin, begin + 1, ...; may be called from several
// threads. The gradients of these samples are not needed any more.
using TakeLeaves =
    std::function<void(const trees::Tree& tree, std::span<const std::uint8_t> leaves, std::size_t begin)>;

// Grows the tree of this number (from 0) on one gradient per sample, values with shrinkage, and gives the
// leaves of all samples away once. Samples with hessian 0 are left out of the growing.
using GrowTree = std::function<trees::Tree(std::span<const simd::GradientPair> gradients,
                                           std::uint64_t number, const TakeLeaves& take)>;

// Boosts, or makes a forest or a tree, as the options say: margins, gradients, shares and bootstraps of rows,
// the curve, early stopping, means. Takes checked input. Throws kInterrupted between trees.
LearnedTrees run_learning_loop(const LearnerInput& input, const LearnerOptions& options,
                               const Context& context, const GrowTree& grow);

}  // namespace greenkgc::trees
