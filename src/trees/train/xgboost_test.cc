// Our trees against XGBoost as others use it: its own objective, a whole matrix, its own predictions.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/random_problem.h"
#include "support/xgboost_reference.h"
#include "trees/train/learner.h"
#include "trees/train/sample_metrics.h"
#include "trees/train/xgboost_learner.h"
#include "trees/xgboost_json.h"

namespace greenkgc::trees {
namespace {

using trees::TripleColumn;

class AgainstXgboost : public testing::Test {
 protected:
  AgainstXgboost()
      : problem_(
            {.entities = 150, .relations = 20, .entity_columns = 6, .relation_columns = 3, .rows = 20'000}) {
    for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail}) {
      for (std::uint32_t v = 0; v < problem_.tables.of(part).columns(); ++v) columns_.push_back({part, v});
    }
  }

  // The other's features are numbers of bins.
  static void expect_same(const trees::Tree& ours, const trees::Tree& theirs) {
    ASSERT_EQ(ours.nodes.size(), theirs.nodes.size());
    for (std::size_t n = 0; n < ours.nodes.size(); ++n) {
      const trees::TreeNode& node = ours.nodes[n];
      const trees::TreeNode& other = theirs.nodes[n];
      EXPECT_EQ(node.left, other.left);
      EXPECT_EQ(node.column, other.column);
      EXPECT_NEAR(node.value, other.value, 1e-5);
      if (node.is_leaf()) continue;
      EXPECT_GT(other.threshold, node.bin);
      EXPECT_LE(other.threshold, node.bin + 1);
    }
  }

  trees::TreeEnsemble trees_of(const XgboostReference& reference) const {
    return trees::from_xgboost_json(reference.model_as_json(), columns_, "XGBoost's model");
  }

  // XGBoost's margins by a model in JSON, on rows of the numbers that bins were made from.
  std::vector<float> margins_by(const std::string& json, const std::vector<TripleColumn>& columns) const {
    const auto check = [](int result) {
      if (result != 0) throw std::runtime_error(XGBGetLastError());
    };
    const std::size_t rows = problem_.samples.size();
    std::vector<float> matrix;
    for (std::size_t row = 0; row < rows; ++row) {
      for (const TripleColumn& column : columns)
        matrix.push_back(problem_.value(row, column.part, column.variable));
    }
    DMatrixHandle data = nullptr;
    check(XGDMatrixCreateFromMat(matrix.data(), rows, columns.size(), NAN, &data));
    BoosterHandle booster = nullptr;
    check(XGBoosterCreate(nullptr, 0, &booster));
    check(XGBoosterLoadModelFromBuffer(booster, json.data(), json.size()));
    check(XGBoosterSetParam(booster, "nthread", "1"));
    bst_ulong count = 0;
    const float* values = nullptr;
    check(XGBoosterPredict(booster, data, 1, 0, 0, &count, &values));
    std::vector<float> margins(values, values + count);
    XGBoosterFree(booster);
    XGDMatrixFree(data);
    return margins;
  }

  void expect_same_margins(const trees::TreeEnsemble& ensemble,
                           const std::vector<TripleColumn>& columns) const {
    const std::vector<float> margins = margins_by(to_xgboost_json(ensemble, columns), columns);
    ASSERT_EQ(margins.size(), problem_.samples.size());
    double largest_error = 0;
    for (std::size_t row = 0; row < margins.size(); ++row) {
      const double ours = margin_of(ensemble, problem_.tables, problem_.samples.triple(row));
      largest_error = std::max(largest_error, std::abs(static_cast<double>(margins[row]) - ours));
    }
    EXPECT_LT(largest_error, 1e-5);
  }

  RandomProblem problem_;
  std::vector<TripleColumn> columns_;  // all
};

TEST_F(AgainstXgboost, FirstTreesAreTheSameAndLossAgrees) {
  LearnerOptions options;
  options.trees = 10;
  options.depth = 5;
  options.rate = 0.3;
  options.split = {.lambda = 2, .gamma = 0, .min_child_weight = 10};
  options.evaluate_every = 1;
  const LearnedTrees ours = learn_trees({problem_.tables, problem_.samples}, options, {});

  XgboostReference theirs(problem_.tables, problem_.samples,
                          {{"objective", "binary:logistic"},
                           {"tree_method", "hist"},
                           {"max_bin", "1024"},
                           {"base_score", "0.5"},
                           {"max_depth", "5"},
                           {"eta", "0.3"},
                           {"lambda", "2"},
                           {"min_child_weight", "10"},
                           {"nthread", "1"},
                           {"verbosity", "0"}});
  for (std::size_t tree = 0; tree < 10; ++tree) {
    theirs.grow_tree();
    EXPECT_NEAR(ours.curve[tree].training.loss, log_loss(theirs.margins(), problem_.samples.labels), 1e-6);
  }
  const trees::TreeEnsemble trees = trees_of(theirs);
  for (std::size_t tree = 0; tree < 3; ++tree) {
    SCOPED_TRACE(tree);
    EXPECT_GT(ours.ensemble.trees[tree].nodes.size(), 30U);
    expect_same(ours.ensemble.trees[tree], trees.trees[tree]);
  }
}

// A forest of one tree is XGBoost's without shrinkage.
TEST_F(AgainstXgboost, ASingleTreeIsTheSame) {
  LearnerOptions options;
  options.classifier = Classifier::kTree;
  options.depth = 7;
  options.split.min_child_weight = 20;
  const LearnedTrees ours = learn_trees({problem_.tables, problem_.samples}, options, {});
  XgboostReference theirs(problem_.tables, problem_.samples,
                          {{"objective", "binary:logistic"},
                           {"tree_method", "hist"},
                           {"max_bin", "1024"},
                           {"base_score", "0.5"},
                           {"max_depth", "7"},
                           {"eta", "1"},
                           {"min_child_weight", "20"},
                           {"nthread", "1"},
                           {"verbosity", "0"}});
  theirs.grow_tree();
  expect_same(ours.ensemble.trees[0], trees_of(theirs).trees[0]);
}

TEST_F(AgainstXgboost, ExportedModelsHaveTheSameMargins) {
  LearnerOptions options;
  options.trees = 50;
  options.depth = 6;
  options.evaluate_every = 0;
  options.base_score = 0.1;
  const LearnerInput input{problem_.tables, problem_.samples};
  const Context one_thread{.threads = 1};
  trees::TreeEnsemble ours = learn_trees(input, options, one_thread).ensemble;
  expect_same_margins(ours, columns_);
  ours.base_margin = 9.25;  // more than a base score can say
  expect_same_margins(ours, columns_);
  expect_same_margins(learn_with_xgboost(input, options, one_thread).ensemble, columns_);
  options.classifier = Classifier::kForest;
  LearnerInput some = input;
  some.columns = {columns_[1], columns_[2], columns_[7], columns_[12]};
  expect_same_margins(learn_trees(some, options, one_thread).ensemble, some.columns);
}

TEST_F(AgainstXgboost, ExportedModelsComeBack) {
  LearnerOptions options;
  options.trees = 20;
  options.base_score = 0.1;
  const auto ours = learn_trees({problem_.tables, problem_.samples}, options, {}).ensemble;
  trees::TreeEnsemble read = trees::from_xgboost_json(to_xgboost_json(ours, columns_), columns_, "ours");
  find_bins(read, problem_.tables);
  EXPECT_TRUE(read.trees == ours.trees);
  EXPECT_NEAR(read.base_margin, ours.base_margin, 1e-6);
}

}  // namespace
}  // namespace greenkgc::trees
