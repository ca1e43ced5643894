#include "trees/train/learner.h"

#include <gtest/gtest.h>

#include <numeric>

#include "greenkgc/error.h"
#include "support/exact_learner.h"
#include "trees/train/sample_metrics.h"

namespace greenkgc::trees {
namespace {

LearnerOptions few_trees(std::size_t trees) {
  LearnerOptions options;
  options.trees = trees;
  options.depth = 3;
  options.evaluate_every = 1;
  return options;
}

// Margins by the definition, ten trees of it.
TEST(Learner, BoostsAsTheExactLearnerDoes) {
  const RandomProblem problem({.entities = 40, .rows = 4000});
  LearnerOptions options = few_trees(10);
  options.split.min_child_weight = 20;  // no ties between small nodes
  const LearnedTrees learned = learn_trees({problem.tables, problem.samples}, options, {});
  ASSERT_EQ(learned.ensemble.trees.size(), 10U);
  ASSERT_EQ(learned.curve.size(), 10U);

  std::vector<double> margins(problem.samples.size());
  double loss = 0;
  for (std::size_t t = 0; t < 10; ++t) {
    const auto derivatives = logistic_derivatives(margins, problem.samples.labels);
    const ExactTree exact(problem, derivatives, options.split, options.depth);
    const trees::Tree& tree = learned.ensemble.trees[t];
    ASSERT_EQ(tree.nodes.size(), exact.nodes.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      ASSERT_EQ(tree.nodes[n].is_leaf(), exact.nodes[n].left < 0);
      if (tree.nodes[n].is_leaf()) {
        EXPECT_NEAR(tree.nodes[n].value, exact.nodes[n].value * options.rate, 1e-6);
      } else {
        EXPECT_EQ(tree.nodes[n].column, (trees::TripleColumn{exact.nodes[n].part, exact.nodes[n].variable}));
        EXPECT_EQ(tree.nodes[n].bin, exact.nodes[n].bin);
      }
    }
    loss = 0;
    for (std::size_t row = 0; row < margins.size(); ++row) {
      margins[row] += exact.value_of(row) * options.rate;
      const double wrong = problem.samples.labels[row] != 0 ? -margins[row] : margins[row];
      loss += std::log1p(std::exp(wrong)) / static_cast<double>(margins.size());
    }
    EXPECT_NEAR(learned.curve[t].training.loss, loss, 1e-6);
  }
  EXPECT_LT(loss, 0.65);
  for (const std::size_t row : {0U, 77U, 3999U})
    EXPECT_NEAR(margin_of(learned.ensemble, problem.tables, problem.samples.triple(row)), margins[row], 1e-5);
}

TEST(Learner, SameSeedSameTreesForAnyThreads) {
  const RandomProblem problem({.entities = 300, .rows = 70'000});
  LearnerOptions options = few_trees(3);
  options.row_share = 0.5;
  options.column_share = 0.6;
  const auto learned = [&](const Context& context) {
    return learn_trees({problem.tables, problem.samples}, options, context).ensemble.trees;
  };
  const auto one = learned(Context{.threads = 1});
  EXPECT_EQ(learned(Context{.threads = 3}), one);
  EXPECT_NE(learned(Context{.seed = 7}), one);
}

TEST(Learner, BaseScoreIsTheMarginBeforeTheFirstTree) {
  const RandomProblem problem({.rows = 500});
  LearnerOptions options = few_trees(1);
  options.base_score = 0.2;
  options.split.min_child_weight = 1e6;  // a single leaf
  const auto ensemble = learn_trees({problem.tables, problem.samples}, options, {}).ensemble;
  EXPECT_NEAR(ensemble.base_margin, std::log(0.25), 1e-6);
  ASSERT_EQ(ensemble.trees[0].nodes.size(), 1U);
  const double n = static_cast<double>(problem.samples.size());
  const double facts = std::accumulate(problem.samples.labels.begin(), problem.samples.labels.end(), 0.0);
  EXPECT_NEAR(ensemble.trees[0].nodes[0].value, 0.2 * (facts - 0.2 * n) / (n * 0.16 + 1), 1e-6);
}

// The second half of what it learns from is noise: held-out samples get worse at some point.
TEST(Learner, StopsAtTheBestHeldOutPoint) {
  const RandomProblem problem({.entities = 30, .rows = 400});
  const RandomProblem other({.entities = 30, .rows = 4000}, 1);
  Samples held_out = other.samples;  // the same rule, other rows after the first 400
  for (auto& ids : held_out.ids) ids.erase(ids.begin(), ids.begin() + 400);
  held_out.labels.erase(held_out.labels.begin(), held_out.labels.begin() + 400);
  LearnerOptions options = few_trees(300);
  options.depth = 6;
  options.rate = 0.5;
  options.split.min_child_weight = 0;
  options.patience = 20;
  for (const StopMetric metric : {StopMetric::kAucPr, StopMetric::kLoss}) {
    options.stop_metric = metric;
    const auto learned = learn_trees({problem.tables, problem.samples, &held_out}, options, {});
    std::size_t best = 0;
    for (std::size_t i = 1; i < learned.curve.size(); ++i) {
      const Curve& here = learned.curve[i].held_out;
      const Curve& there = learned.curve[best].held_out;
      if (metric == StopMetric::kAucPr ? here.auc_pr > there.auc_pr : here.loss < there.loss) best = i;
    }
    EXPECT_EQ(learned.ensemble.trees.size(), best + 1);
    EXPECT_EQ(learned.curve.size(), best + 1 + options.patience);
    EXPECT_LT(learned.curve.size(), 300U);
    // The curve is that of the trees that are left.
    std::vector<float> margins;
    for (std::size_t row = 0; row < held_out.size(); ++row)
      margins.push_back(
          static_cast<float>(margin_of(learned.ensemble, problem.tables, held_out.triple(row))));
    EXPECT_NEAR(log_loss(margins, held_out.labels), learned.curve[best].held_out.loss, 1e-5);
    EXPECT_NEAR(auc_pr(margins, held_out.labels), learned.curve[best].held_out.auc_pr, 1e-5);
  }
}

// From a base of one half and without penalty, a leaf's margin is 4 (share of facts) - 2.
TEST(Learner, ATreeHasTheSharesOfFactsInItsLeaves) {
  const RandomProblem problem({.rows = 2000});
  LearnerOptions options = few_trees(50);
  options.classifier = Classifier::kTree;
  options.split.lambda = 0;
  const auto ensemble = learn_trees({problem.tables, problem.samples}, options, {}).ensemble;
  ASSERT_EQ(ensemble.trees.size(), 1U);
  std::vector<double> facts(256);
  std::vector<double> rows(256);
  for (std::size_t row = 0; row < problem.samples.size(); ++row) {
    const auto leaf = leaf_of(ensemble.trees[0], problem.tables, problem.samples.triple(row));
    facts[leaf] += problem.samples.labels[row];
    rows[leaf] += 1;
  }
  for (std::size_t n = 0; n < ensemble.trees[0].nodes.size(); ++n) {
    if (ensemble.trees[0].nodes[n].is_leaf()) {
      EXPECT_NEAR(ensemble.trees[0].nodes[n].value, 4 * facts[n] / rows[n] - 2, 1e-5);
    }
  }
}

TEST(Learner, AForestIsAMeanOfDifferentTrees) {
  const RandomProblem problem({.entities = 40, .rows = 3000});
  LearnerOptions options = few_trees(20);
  options.classifier = Classifier::kForest;
  options.depth = 5;
  options.column_share = 0.5;
  const auto learned = learn_trees({problem.tables, problem.samples, &problem.samples}, options, {});
  ASSERT_EQ(learned.ensemble.trees.size(), 20U);
  EXPECT_NE(learned.ensemble.trees[0], learned.ensemble.trees[1]);
  std::vector<float> margins;
  for (std::size_t row = 0; row < problem.samples.size(); ++row) {
    margins.push_back(
        static_cast<float>(margin_of(learned.ensemble, problem.tables, problem.samples.triple(row))));
    EXPECT_LE(std::abs(margins.back()), 2.0F);  // as one tree's
  }
  EXPECT_NEAR(learned.curve.back().training.loss, log_loss(margins, problem.samples.labels), 1e-5);
  EXPECT_NEAR(learned.curve.back().held_out.loss, learned.curve.back().training.loss, 1e-9);
  EXPECT_GT(learned.curve.back().training.auc_pr, learned.curve.front().training.auc_pr);
}

TEST(Learner, SoftmaxPutsFactsAboveTheirFalseAnswers) {
  RandomProblem problem({.entities = 40, .rows = 3000});
  for (std::uint64_t first = 0; first < 3000; first += 5) {
    problem.samples.facts.push_back({first, 2, 2});
    for (std::uint64_t row = first; row < first + 5; ++row) {
      problem.samples.labels[row] = row == first ? 1 : 0;
      // Facts have a high first variable of the head.
      if (row == first)
        problem.samples.ids[0][row] = problem.entity_values[0][first % 40] > 0 ? first % 40 : 1;
    }
  }
  LearnerOptions options = few_trees(10);
  options.objective = Objective::kSoftmax;
  const auto learned = learn_trees({problem.tables, problem.samples}, options, {});
  EXPECT_LT(learned.curve.back().training.loss, learned.curve.front().training.loss);
  EXPECT_LT(learned.curve.front().training.loss, std::log(3.0));  // that of guessing among three
  Samples ungrouped = problem.samples;
  ungrouped.facts.clear();
  EXPECT_THROW(learn_trees({problem.tables, problem.samples, &ungrouped}, options, {}), Error);
  problem.samples.facts.clear();
  EXPECT_THROW(learn_trees({problem.tables, problem.samples}, options, {}), Error);
}

TEST(Learner, DegenerateSamplesGiveSingleLeaves) {
  const RandomProblem none({.rows = 0});
  const RandomProblem one({.entities = 2, .relations = 1, .rows = 1});
  for (const RandomProblem* problem : {&none, &one}) {
    for (const Classifier classifier : {Classifier::kBoosting, Classifier::kForest, Classifier::kTree}) {
      LearnerOptions options = few_trees(2);
      options.classifier = classifier;
      const auto learned = learn_trees({problem->tables, problem->samples, &problem->samples}, options, {});
      for (const auto& tree : learned.ensemble.trees) {
        ASSERT_EQ(tree.nodes.size(), 1U);
        EXPECT_TRUE(std::isfinite(tree.nodes[0].value));
      }
    }
  }
}

TEST(Learner, WithoutColumnsItLearnsTheShareOfFacts) {
  const RandomProblem problem({.entity_columns = 0, .relation_columns = 0, .rows = 1000});
  LearnerOptions options = few_trees(200);
  options.column_share = 0.5;
  const auto ensemble = learn_trees({problem.tables, problem.samples}, options, {}).ensemble;
  const double facts =
      std::accumulate(problem.samples.labels.begin(), problem.samples.labels.end(), 0.0) / 1000;
  EXPECT_NEAR(margin_of(ensemble, problem.tables, problem.samples.triple(0)), std::log(facts / (1 - facts)),
              1e-3);
}

TEST(Learner, OptionsOutOfRangeAreRefused) {
  const RandomProblem problem({.rows = 10});
  const std::vector<void (*)(LearnerOptions&)> faults = {
      [](LearnerOptions& o) { o.depth = 0; },        [](LearnerOptions& o) { o.depth = 8; },
      [](LearnerOptions& o) { o.trees = 0; },        [](LearnerOptions& o) { o.rate = 0; },
      [](LearnerOptions& o) { o.row_share = 0; },    [](LearnerOptions& o) { o.column_share = 1.5; },
      [](LearnerOptions& o) { o.base_score = 1; },   [](LearnerOptions& o) { o.split.lambda = -1; },
      [](LearnerOptions& o) { o.split.gamma = -1; }, [](LearnerOptions& o) { o.rate = std::nan(""); }};
  for (const auto fault : faults) {
    LearnerOptions options;
    fault(options);
    EXPECT_THROW(learn_trees({problem.tables, problem.samples}, options, {}), Error);
  }
}

}  // namespace
}  // namespace greenkgc::trees
