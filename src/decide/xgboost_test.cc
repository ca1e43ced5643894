#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "decide/learner.h"
#include "decide/random_problem.h"
#include "decide/sample_metrics.h"
#include "decide/xgboost_reference.h"

namespace greenkgc::decide {
namespace {

using nlohmann::json;

class AgainstXgboost : public testing::Test {
 protected:
  AgainstXgboost()
      : problem_(
            {.entities = 150, .relations = 20, .entity_columns = 6, .relation_columns = 3, .rows = 20'000}) {}

  // Both sides of each split, down to the leaves.
  void expect_same(const model::Tree& tree, std::size_t at, const json& other) const {
    const model::TreeNode& node = tree.nodes[at];
    ASSERT_EQ(node.is_leaf(), other.contains("leaf"));
    if (node.is_leaf()) {
      EXPECT_NEAR(node.value, other["leaf"].get<double>(), 1e-5);
      return;
    }
    EXPECT_EQ("f" + std::to_string(column_number(node.column)), other["split"].get<std::string>());
    EXPECT_GT(other["split_condition"].get<double>(), node.bin);
    EXPECT_LE(other["split_condition"].get<double>(), node.bin + 1);
    for (const json& child : other["children"]) {
      const bool left = child["nodeid"] == other["yes"];
      expect_same(tree, left ? node.left : node.left + 1U, child);
    }
  }

  std::size_t column_number(const model::TripleColumn& column) const {
    const std::size_t entity = problem_.tables.entities.columns();
    const std::size_t relation = problem_.tables.relations.columns();
    return column.variable + (column.part == TriplePart::kHead       ? 0
                              : column.part == TriplePart::kRelation ? entity
                                                                     : entity + relation);
  }

  RandomProblem problem_;
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
  const auto texts = theirs.trees_as_json();
  for (std::size_t tree = 0; tree < 3; ++tree) {
    SCOPED_TRACE(tree);
    EXPECT_GT(ours.ensemble.trees[tree].nodes.size(), 30U);
    expect_same(ours.ensemble.trees[tree], 0, json::parse(texts[tree]));
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
  expect_same(ours.ensemble.trees[0], 0, json::parse(theirs.trees_as_json()[0]));
}

}  // namespace
}  // namespace greenkgc::decide
