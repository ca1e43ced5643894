#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "greenkgc/context.h"
#include "trees/list_trees.h"
#include "trees/train/lists/list_objective.h"
#include "trees/train/lists/lists.h"
#include "trees/train/split.h"

namespace greenkgc::trees {

enum class ListStopMetric { kMrr, kLoss };

// Unlabeled truths stand among the candidates, so what fits the labels best ranks worse: the defaults hold
// back.
struct ListLearnerOptions {
  Objective objective = Objective::kSoftmax;
  std::size_t trees = 200;
  std::size_t depth = 7;  // 1 to trees::kMostListDepth
  double rate = 0.1;      // shrinkage
  SplitRule split = {.lambda = 30, .gamma = 0, .min_child_weight = 30};
  double list_share = 0.5;    // of the lists that a tree sees; (0, 1]
  double column_share = 0.4;  // of the features that a tree may use; (0, 1]; at least one

  std::size_t evaluate_every = 10;  // trees between points of the curve; 0: no curve, no early stopping
  // With held-out lists, boosting ends after so many trees without a better metric; 0: never.
  std::size_t patience = 0;
  ListStopMetric stop_metric = ListStopMetric::kMrr;

  void validate() const;  // throws kUsage for what is out of range
};

struct ListCurvePoint {
  std::size_t trees = 0;
  ListFigures training;
  ListFigures held_out;  // zeros without held-out lists
};

struct LearnedListTrees {
  std::vector<trees::ListTree> trees;  // after early stopping, up to the best point
  std::vector<ListCurvePoint> curve;   // also beyond it
};

struct ListLearnerInput {
  const Lists& lists;
  const trees::FeatureCuts& cuts;   // of the lists' bins
  const Lists* held_out = nullptr;  // the same features and cuts
  std::function<void(const ListCurvePoint&)> on_point = {};
};

// Boosts trees that put answers before the other candidates of their lists. Under log-loss, and where
// no margin begins with anything, the log-odds of an answer among all rows are part of the first tree's
// leaves, so margins are log-odds. Without rows, trees are
// single leaves. Memory beyond the lists is 16 bytes a row, and what ListGrower needs. The same seed gives
// the same trees for any number of threads. Throws kUsage for options out of range, kBadInput for 2^32 rows
// or more, kInterrupted.
LearnedListTrees learn_list_trees(const ListLearnerInput& input, const ListLearnerOptions& options,
                                  const Context& context);

}  // namespace greenkgc::trees
