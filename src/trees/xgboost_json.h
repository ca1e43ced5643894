#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trees/trees.h"

namespace greenkgc::trees {

// Trees as XGBoost's JSON model, which its own save_model and load_model use (written as version 1.7.4 does,
// with the objective binary:logistic). Feature f of XGBoost is features[f]; what a row holds there is the
// value that a node compares with its threshold.

// XGBoost's margins of rows are those of the ensemble up to float rounding. A base margin that XGBoost's
// base_score cannot hold to 1e-6 becomes a first tree of one leaf. Values and thresholds are finite. Throws
// kUsage if trees ask for a column that is not among the features.
std::string to_xgboost_json(const TreeEnsemble& ensemble, std::span<const TripleColumn> features);

// Trusts nothing in the text; `name` is what errors call it. Nodes get thresholds, but no bins. Directions of
// missing values are left aside, for features of triples are never missing. Throws kCorrupt, naming the
// place; kUnsupported for what our trees cannot express: other boosters and objectives than gbtree and
// binary:logistic, categorical splits, several outputs, depths above kMostTreeDepth.
TreeEnsemble from_xgboost_json(std::string_view text, std::span<const TripleColumn> features,
                               std::string_view name);

// Gives nodes the bins that go with their thresholds. Their columns are among those of the tables. Throws
// kUnsupported for a threshold that is not one of the cuts, for bins cannot tell what is below it.
void find_bins(TreeEnsemble& ensemble, const features::SideTables& tables);

}  // namespace greenkgc::trees
