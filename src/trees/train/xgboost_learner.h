#pragma once

#include "greenkgc/context.h"
#include "trees/train/learner.h"

namespace greenkgc::trees {

// learn_trees with XGBoost's hist updater in place of our grower. Gradients, row shares, bootstraps, margins
// and the curve are ours, and XGBoost grows each tree from them; so all classifiers and both objectives have
// the same meaning. It sees bins, each as one of its own, and gets them in batches: memory beyond the samples
// is about two bytes per sample and column, and 64 per sample.
// What differs from learn_trees:
// - Which columns a tree may use (column_share) is drawn by XGBoost, from the same seed.
// - A tree without splits whose hessians sum to less than min_child_weight adds 0.
// - The same seed gives the same trees only for the same number of threads, since sums are rounded.
// - XGBoost has threads of its own (OpenMP), as many as the context says, and cannot be interrupted while it
//   grows one tree.
// Throws as learn_trees does, and kUnsupported if XGBoost fails or if this build is without it.
LearnedTrees learn_with_xgboost(const LearnerInput& input, const LearnerOptions& options,
                                const Context& context);

}  // namespace greenkgc::trees
