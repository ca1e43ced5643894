#include "support/xgboost_reference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_lists.h"
#include "trees/train/lists/list_learner.h"
#include "trees/xgboost_json.h"

namespace greenkgc::trees {
namespace {

// XGBoost asks whether the bin's number is below a threshold.
void expect_same(const trees::ListTree& ours, const trees::Tree& theirs, std::size_t our_node = 0,
                 std::size_t their_node = 0) {
  const trees::ListTreeNode& a = ours.nodes[our_node];
  const trees::TreeNode& b = theirs.nodes[their_node];
  ASSERT_EQ(a.is_leaf(), b.is_leaf());
  if (a.is_leaf()) {
    EXPECT_NEAR(a.value, b.value, 1e-5);
    return;
  }
  EXPECT_EQ(a.feature, b.column.variable);
  EXPECT_EQ(static_cast<float>(a.bin), std::ceil(b.threshold) - 1);
  expect_same(ours, theirs, a.left, b.left);
  expect_same(ours, theirs, a.left + 1U, b.left + 1U);
}

// Given the same gradients, XGBoost's trees are ours; and so are the margins that it makes the next
// gradients from.
TEST(ListLearnerAgainstXgboost, FirstTreesAreTheSame) {
  const RandomLists problem(3000, 25, 8, 11);
  ListLearnerOptions options;
  options.trees = 4;
  options.depth = 6;
  options.rate = 0.3;
  options.split = {.lambda = 3, .gamma = 0, .min_child_weight = 8};
  options.list_share = options.column_share = 1;
  const auto ours = learn_list_trees({problem.lists, problem.cuts}, options, {});

  std::vector<trees::TripleColumn> columns;
  for (std::uint32_t f = 0; f < problem.features; ++f) columns.push_back({features::TriplePart::kHead, f});
  XgboostReference theirs(problem.lists, {{"objective", "binary:logistic"},
                                          {"base_score", "0.5"},
                                          {"tree_method", "hist"},
                                          {"max_bin", "1024"},
                                          {"max_depth", "6"},
                                          {"eta", "0.3"},
                                          {"lambda", "3"},
                                          {"min_child_weight", "8"},
                                          {"nthread", "1"},
                                          {"verbosity", "0"}});
  std::vector<float> margins(problem.lists.rows());
  std::vector<simd::GradientPair> gradients(margins.size());
  for (std::size_t tree = 0; tree < options.trees; ++tree) {
    list_gradients(options.objective, problem.lists, margins, gradients, {});
    theirs.grow_tree(gradients);
    margins = theirs.margins();
  }
  const auto trees = trees::from_xgboost_json(theirs.model_as_json(), columns, "theirs").trees;
  for (std::size_t tree = 0; tree < options.trees; ++tree) {
    SCOPED_TRACE(tree);
    EXPECT_GT(ours.trees[tree].nodes.size(), 20U);
    expect_same(ours.trees[tree], trees[tree]);
  }
}

}  // namespace
}  // namespace greenkgc::trees
