#include "trees/train/xgboost_learner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "greenkgc/error.h"
#include "support/random_problem.h"
#include "trees/train/sample_metrics.h"

namespace greenkgc::trees {
namespace {

using trees::TripleColumn;

const Context kOneThread{.threads = 1};

LearnerOptions ten_trees() {
  LearnerOptions options;
  options.trees = 10;
  options.depth = 5;
  options.split = {.lambda = 2, .gamma = 0.5, .min_child_weight = 10};
  options.evaluate_every = 1;
  return options;
}

class XgboostLearner : public testing::Test {
 protected:
  XgboostLearner()
      : problem_(
            {.entities = 700, .relations = 20, .entity_columns = 6, .relation_columns = 3, .rows = 70'000}) {}

  LearnerInput input() const { return {problem_.tables, problem_.samples}; }

  // The same splits and about the same leaves in the first trees, the same curve in all.
  static void expect_same(const LearnerInput& input, const LearnerOptions& options) {
    const LearnedTrees ours = learn_trees(input, options, kOneThread);
    const LearnedTrees theirs = learn_with_xgboost(input, options, kOneThread);
    EXPECT_EQ(theirs.ensemble.base_margin, ours.ensemble.base_margin);
    ASSERT_EQ(theirs.ensemble.trees.size(), ours.ensemble.trees.size());
    EXPECT_GT(ours.ensemble.trees[0].nodes.size(), 10U);
    for (std::size_t t = 0; t < std::min<std::size_t>(3, ours.ensemble.trees.size()); ++t) {
      SCOPED_TRACE(t);
      expect_same(ours.ensemble.trees[t], theirs.ensemble.trees[t]);
    }
    ASSERT_EQ(theirs.curve.size(), ours.curve.size());
    for (std::size_t i = 0; i < ours.curve.size(); ++i) {
      EXPECT_NEAR(theirs.curve[i].training.loss, ours.curve[i].training.loss, 1e-6);
      EXPECT_NEAR(theirs.curve[i].held_out.loss, ours.curve[i].held_out.loss, 1e-6);
      EXPECT_NEAR(theirs.curve[i].training.auc_pr, ours.curve[i].training.auc_pr, 1e-4);
    }
  }

  RandomProblem problem_;

 private:
  static void expect_same(const trees::Tree& ours, const trees::Tree& theirs) {
    ASSERT_EQ(theirs.nodes.size(), ours.nodes.size());
    for (std::size_t n = 0; n < ours.nodes.size(); ++n) {
      trees::TreeNode node = theirs.nodes[n];
      EXPECT_NEAR(node.value, ours.nodes[n].value, 1e-5);
      node.value = ours.nodes[n].value;
      EXPECT_EQ(node, ours.nodes[n]);
    }
  }
};

TEST_F(XgboostLearner, BoostsAsOurs) {
  LearnerOptions options = ten_trees();
  expect_same(input(), options);
  options.base_score = 0.1;
  options.row_share = 0.5;
  expect_same(input(), options);
}

TEST_F(XgboostLearner, CutsBesideBinsThatNoSampleHasAsOurs) {
  for (const std::size_t part : {0U, 2U}) {
    for (std::uint32_t& id : problem_.samples.ids[part]) id -= id % 7;
  }
  expect_same(input(), ten_trees());
}

TEST_F(XgboostLearner, GrowsAForestAsOurs) {
  LearnerOptions options = ten_trees();
  options.classifier = Classifier::kForest;
  expect_same(input(), options);
}

TEST_F(XgboostLearner, GrowsATreeAsOurs) {
  LearnerOptions options = ten_trees();
  options.classifier = Classifier::kTree;
  options.depth = 7;
  expect_same(input(), options);
}

TEST_F(XgboostLearner, SeesTheGivenColumnsOnly) {
  LearnerInput some = input();
  some.columns = {
      {TriplePart::kHead, 1}, {TriplePart::kRelation, 2}, {TriplePart::kTail, 0}, {TriplePart::kTail, 4}};
  expect_same(some, ten_trees());
}

TEST_F(XgboostLearner, GoesOnFromKnownMargins) {
  std::vector<float> margins(problem_.samples.size());
  for (std::size_t row = 0; row < margins.size(); ++row)
    margins[row] = 2 * problem_.value(row, TriplePart::kHead, 0) * problem_.value(row, TriplePart::kTail, 1);
  LearnerInput known = input();
  known.margins = margins;
  known.held_out = &problem_.samples;
  known.held_out_margins = margins;
  expect_same(known, ten_trees());
}

TEST_F(XgboostLearner, LearnsTheSoftmaxAsOurs) {
  for (std::uint64_t first = 0; first < problem_.samples.size(); first += 5) {
    problem_.samples.facts.push_back({first, 2, 2});
    for (std::uint64_t row = first; row < first + 5; ++row)
      problem_.samples.labels[row] = row == first ? 1 : 0;
    problem_.samples.ids[0][first] %= 40;  // so that there is something to learn
  }
  LearnerOptions options = ten_trees();
  options.objective = Objective::kSoftmax;
  expect_same(input(), options);
}

TEST_F(XgboostLearner, EachTreeDrawsItsColumnsByTheSeed) {
  LearnerOptions options = ten_trees();
  options.column_share = 0.2;  // three of fifteen
  const auto learned = [&](std::uint64_t seed) {
    return learn_with_xgboost(input(), options, {.threads = 1, .seed = seed}).ensemble.trees;
  };
  const auto trees = learned(1);
  std::set<TripleColumn> all;
  for (const trees::Tree& tree : trees) {
    std::set<TripleColumn> used;
    for (const trees::TreeNode& node : tree.nodes) {
      if (!node.is_leaf()) used.insert(node.column);
    }
    EXPECT_LE(used.size(), 3U);
    all.merge(used);
  }
  EXPECT_GT(all.size(), 5U);
  EXPECT_NE(learned(2), trees);
  EXPECT_EQ(learned(1), trees);
}

TEST_F(XgboostLearner, StopsAtTheBestHeldOutPoint) {
  const RandomProblem few({.entities = 30, .rows = 400});
  RandomProblem other({.entities = 30, .rows = 4000}, 1);  // by the same rule
  LearnerOptions options = ten_trees();
  options.trees = 300;
  options.rate = 0.5;
  options.split = {.lambda = 1, .gamma = 0, .min_child_weight = 0};
  options.stop_metric = StopMetric::kLoss;
  options.patience = 5;
  std::vector<std::size_t> points;
  LearnerInput some{few.tables, few.samples, &other.samples};
  some.on_point = [&](const CurvePoint& point, const trees::TreeEnsemble& ensemble) {
    EXPECT_EQ(ensemble.trees.size(), point.trees);
    points.push_back(point.trees);
    return true;
  };
  const LearnedTrees learned = learn_with_xgboost(some, options, kOneThread);
  const auto best = std::min_element(
      learned.curve.begin(), learned.curve.end(),
      [](const CurvePoint& a, const CurvePoint& b) { return a.held_out.loss < b.held_out.loss; });
  EXPECT_LT(learned.curve.size(), 300U);
  EXPECT_EQ(points.size(), learned.curve.size());
  EXPECT_EQ(learned.curve.back().trees, best->trees + 5);
  ASSERT_EQ(learned.ensemble.trees.size(), best->trees);
  std::vector<float> margins;
  for (std::size_t row = 0; row < other.samples.size(); ++row)
    margins.push_back(static_cast<float>(margin_of(learned.ensemble, few.tables, other.samples.triple(row))));
  EXPECT_NEAR(log_loss(margins, other.samples.labels), best->held_out.loss, 1e-5);
}

TEST_F(XgboostLearner, CanBeInterrupted) {
  std::atomic<bool> cancel = true;
  const auto code_of = [&](const LearnerInput& some) {
    try {
      learn_with_xgboost(some, ten_trees(), {.threads = 1, .cancel = &cancel});
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kUsage;
  };
  EXPECT_EQ(code_of(input()), ErrorCode::kInterrupted);  // while it is fed
  cancel = false;
  LearnerInput some = input();
  std::size_t points = 0;
  some.on_point = [&](const CurvePoint&, const trees::TreeEnsemble&) {
    cancel = ++points == 3;
    return true;
  };
  EXPECT_EQ(code_of(some), ErrorCode::kInterrupted);
  EXPECT_EQ(points, 3U);
}

TEST_F(XgboostLearner, DegenerateInputGivesSingleLeaves) {
  const RandomProblem none({.rows = 0});
  const RandomProblem one({.entities = 2, .relations = 1, .rows = 1});
  const RandomProblem constant({.entities = 1, .relations = 1, .rows = 100});
  const RandomProblem bare({.entity_columns = 0, .relation_columns = 0, .rows = 100});
  for (const RandomProblem* problem : {&none, &one, &constant, &bare}) {
    for (const Classifier classifier : {Classifier::kBoosting, Classifier::kForest, Classifier::kTree}) {
      LearnerOptions options;
      options.trees = 2;
      options.classifier = classifier;
      options.split.min_child_weight = 0;
      const auto ours = learn_trees({problem->tables, problem->samples}, options, kOneThread).ensemble.trees;
      const auto trees =
          learn_with_xgboost({problem->tables, problem->samples}, options, kOneThread).ensemble.trees;
      ASSERT_EQ(trees.size(), ours.size());
      for (std::size_t t = 0; t < trees.size(); ++t) {
        ASSERT_EQ(trees[t].nodes.size(), 1U);
        EXPECT_NEAR(trees[t].nodes[0].value, ours[t].nodes[0].value, 1e-6);
      }
    }
  }
}

TEST_F(XgboostLearner, WrongOptionsAreRefused) {
  LearnerOptions options = ten_trees();
  options.depth = 8;
  EXPECT_THROW(learn_with_xgboost(input(), options, kOneThread), Error);
  options = ten_trees();
  options.objective = Objective::kSoftmax;  // the samples have no queries
  EXPECT_THROW(learn_with_xgboost(input(), options, kOneThread), Error);
}

}  // namespace
}  // namespace greenkgc::trees
