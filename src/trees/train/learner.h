#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "trees/train/objective.h"
#include "trees/train/samples.h"
#include "trees/train/split.h"
#include "trees/trees.h"

namespace greenkgc::trees {

enum class Classifier {
  kBoosting,  // each tree corrects those before it
  kForest,    // each tree on a bootstrap sample, no shrinkage; margins are means over trees
  kTree,      // one tree on all samples
};
enum class StopMetric { kAucPr, kLoss };

struct LearnerOptions {
  Classifier classifier = Classifier::kBoosting;
  Objective objective = Objective::kLogLoss;  // of boosting; others take the log-loss
  std::size_t trees = 1200;                   // more: better fit, slower
  std::size_t depth = 5;                      // 1 to trees::kMostTreeDepth
  double rate = 0.2;                          // shrinkage, of boosting
  SplitRule split;
  double row_share = 1;     // of the samples that a boosted tree sees; (0, 1]
  double column_share = 1;  // of the columns that a tree may use; (0, 1]; at least one column
  double base_score = 0.5;  // probability before the first tree; (0, 1)

  // With held-out samples:
  StopMetric stop_metric = StopMetric::kAucPr;
  std::size_t patience = 0;         // boosting ends after so many trees without a better metric; 0: never
  std::size_t evaluate_every = 10;  // trees between points of the curve; 0: no curve, no early stopping

  void validate() const;  // throws kUsage for what is out of range
};

struct Curve {
  double loss = 0;  // of the objective, in nats
  double auc_pr = 0;
};
struct CurvePoint {
  std::size_t trees = 0;
  Curve training;
  Curve held_out;  // zeros without held-out samples
};

struct LearnedTrees {
  trees::TreeEnsemble ensemble;   // after early stopping, up to the best point
  std::vector<CurvePoint> curve;  // also beyond it
};

struct LearnerInput {
  const features::SideTables& tables;
  const Samples& samples;
  const Samples* held_out = nullptr;
  std::vector<trees::TripleColumn> columns = {};  // that trees may ask for, in ascending order; empty: all
  // What is known of each sample's margin before the first tree, in place of the base score; of boosting
  // only. Empty: nothing.
  std::span<const float> margins = {};
  std::span<const float> held_out_margins = {};
  // As the curve grows, with the trees so far; false ends the learning.
  std::function<bool(const CurvePoint&, const trees::TreeEnsemble&)> on_point = {};
};

// Learns to tell facts from false ones. Ids of the samples are below the sizes of the tables. Memory beyond
// the samples is 12 bytes each, and what TreeGrower needs. Without samples, or with constant features, trees
// are single leaves. The same seed gives the same trees for any number of threads.
// Throws kUsage for options out of range, kInterrupted.
LearnedTrees learn_trees(const LearnerInput& input, const LearnerOptions& options, const Context& context);

}  // namespace greenkgc::trees
