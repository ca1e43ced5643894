#include "trees/train/lists/list_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "greenkgc/error.h"
#include "support/random_lists.h"

namespace greenkgc::trees {
namespace {

ListLearnerOptions few_trees() {
  ListLearnerOptions options;
  options.trees = 20;
  options.depth = 4;
  options.rate = 0.3;
  options.split = {.lambda = 1, .gamma = 0, .min_child_weight = 5};
  return options;
}

// The best split of all rows by its definition, in double precision.
NodeSplit best_split(const RandomLists& problem, const std::vector<simd::GradientPair>& gradients,
                     const SplitRule& rule) {
  const auto real = [](std::int64_t x) { return static_cast<double>(x) / simd::kGradientUnit; };
  const auto score = [&](double g, double h) { return g * g / (h + rule.lambda); };
  NodeSplit best;
  for (std::uint32_t f = 0; f < problem.features; ++f) {
    for (std::size_t cut = 0; cut < problem.cuts[f].size(); ++cut) {
      double lg = 0;
      double lh = 0;
      double rg = 0;
      double rh = 0;
      for (std::size_t row = 0; row < gradients.size(); ++row) {
        const bool left = problem.values[row * problem.features + f] < problem.cuts[f][cut];
        (left ? lg : rg) += real(gradients[row].gradient);
        (left ? lh : rh) += real(gradients[row].hessian);
      }
      if (lh < rule.min_child_weight || rh < rule.min_child_weight) continue;
      const double gain = score(lg, lh) + score(rg, rh) - score(lg + rg, lh + rh);
      if (gain > best.gain + 1e-9) best = {gain, f, static_cast<std::uint8_t>(cut), {}};
    }
  }
  return best;
}

TEST(ListLearner, TheFirstSplitIsTheBestOfAll) {
  const RandomLists problem(120, 12, 5, 1, 32);
  ListLearnerOptions options = few_trees();
  options.trees = 1;
  options.depth = 1;
  options.list_share = options.column_share = 1;
  for (const Objective objective : {Objective::kSoftmax, Objective::kLogLoss}) {
    options.objective = objective;
    const auto answers = static_cast<double>(std::count(problem.labels.begin(), problem.labels.end(), 1));
    const double base = std::log(answers / (static_cast<double>(problem.labels.size()) - answers));
    const std::vector<float> margins(problem.labels.size(),
                                     objective == Objective::kLogLoss ? static_cast<float>(base) : 0.0F);
    std::vector<simd::GradientPair> gradients(margins.size());
    list_gradients(objective, problem.lists, margins, gradients, {});
    const NodeSplit expected = best_split(problem, gradients, options.split);
    const trees::ListTree tree = learn_list_trees({problem.lists, problem.cuts}, options, {}).trees[0];
    ASSERT_EQ(tree.nodes.size(), 3U);
    EXPECT_EQ(tree.nodes[0].feature, expected.column);
    EXPECT_EQ(tree.nodes[0].bin, expected.bin);
  }
}

TEST(ListLearner, LearnsWhichCandidateIsTheAnswer) {
  const RandomLists problem(2000, 20, 6, 1);
  RandomLists other(500, 20, 6, 2);
  Lists held_out;
  std::size_t row = 0;
  for (const std::size_t size : other.sizes) {
    held_out.add(problem.cuts, std::span(other.values).subspan(row * 6, size * 6),
                 std::span(other.labels).subspan(row, size));
    row += size;
  }
  for (const Objective objective : {Objective::kSoftmax, Objective::kLogLoss}) {
    ListLearnerOptions options = few_trees();
    options.objective = objective;
    options.trees = 60;
    options.column_share = 0.7;
    const auto learned = learn_list_trees({problem.lists, problem.cuts, &held_out}, options, {});
    ASSERT_EQ(learned.curve.size(), 6U);
    EXPECT_LT(learned.curve.back().training.loss, learned.curve.front().training.loss);
    EXPECT_GT(learned.curve.back().held_out.mrr, 0.73);

    // Margins of the trees as they are stored are those that were learned with.
    const trees::ListScorer scorer({std::vector<std::string>(6), problem.cuts, learned.trees});
    std::vector<float> margins(other.labels.size());
    scorer.add_values(other.values, margins);
    const ListFigures figures = list_figures(objective, held_out, margins, {});
    EXPECT_NEAR(figures.loss, learned.curve.back().held_out.loss, 1e-5);
    EXPECT_NEAR(figures.mrr, learned.curve.back().held_out.mrr, 1e-3);
  }
}

TEST(ListLearner, BeginsWithTheBase) {
  RandomLists problem(400, 12, 5, 11);
  for (std::size_t row = 0; row < problem.labels.size(); ++row)
    problem.lists.base[row] = 2 * problem.values[row * 5];  // one of the two features that tell the answer
  ListLearnerOptions options = few_trees();
  options.trees = 1;
  options.depth = 1;
  options.list_share = 1;
  options.column_share = 1;
  options.evaluate_every = 1;
  for (const Objective objective : {Objective::kSoftmax, Objective::kLogLoss}) {
    options.objective = objective;
    std::vector<simd::GradientPair> gradients(problem.labels.size());
    list_gradients(objective, problem.lists, problem.lists.base, gradients, {});
    const NodeSplit expected = best_split(problem, gradients, options.split);
    const auto learned = learn_list_trees({problem.lists, problem.cuts}, options, {});
    EXPECT_EQ(learned.trees[0].nodes[0].feature, expected.column);
    EXPECT_EQ(learned.trees[0].nodes[0].bin, expected.bin);

    std::vector<float> margins = problem.lists.base;
    trees::ListScorer({std::vector<std::string>(5), problem.cuts, learned.trees})
        .add_values(problem.values, margins);
    EXPECT_NEAR(list_figures(objective, problem.lists, margins, {}).loss, learned.curve[0].training.loss,
                1e-5);
  }
}

TEST(ListLearner, SameTreesForAnyNumberOfThreads) {
  const RandomLists problem(700, 30, 9, 4);
  const auto one = learn_list_trees({problem.lists, problem.cuts}, few_trees(), {.threads = 1, .seed = 3});
  const auto four = learn_list_trees({problem.lists, problem.cuts}, few_trees(), {.threads = 4, .seed = 3});
  EXPECT_TRUE(one.trees == four.trees);
  const auto other = learn_list_trees({problem.lists, problem.cuts}, few_trees(), {.threads = 1, .seed = 5});
  EXPECT_FALSE(one.trees == other.trees);
}

TEST(ListLearner, StopsEarlyAtTheBestPoint) {
  const RandomLists problem(300, 10, 4, 6);
  const RandomLists noise(200, 10, 4, 7);
  Lists held_out = noise.lists;
  ListLearnerOptions options = few_trees();
  options.trees = 400;
  options.evaluate_every = 5;
  options.patience = 20;
  options.stop_metric = ListStopMetric::kLoss;
  const auto learned = learn_list_trees({problem.lists, problem.cuts, &held_out}, options, {});
  ASSERT_LT(learned.curve.back().trees, 400U);
  double best = std::numeric_limits<double>::infinity();
  std::size_t best_trees = 0;
  for (const ListCurvePoint& point : learned.curve) {
    if (point.held_out.loss >= best) continue;
    best = point.held_out.loss;
    best_trees = point.trees;
  }
  EXPECT_EQ(learned.trees.size(), best_trees);
  EXPECT_EQ(learned.curve.back().trees, best_trees + 20);
}

TEST(ListLearner, LeavesObeyTheLeastWeight) {
  const RandomLists problem(200, 10, 4, 6);
  ListLearnerOptions options = few_trees();
  options.split.min_child_weight = 1e6;
  EXPECT_EQ(learn_list_trees({problem.lists, problem.cuts}, options, {}).trees[0].nodes.size(), 1U);
}

TEST(ListLearner, NothingToLearnFromGivesSingleLeaves) {
  ListLearnerOptions options = few_trees();
  options.trees = 2;
  const Lists none;
  const auto learned = learn_list_trees({none, {}}, options, {});
  ASSERT_EQ(learned.trees.size(), 2U);
  EXPECT_EQ(learned.trees[0].nodes.size(), 1U);
  Lists constant;
  const trees::FeatureCuts no_cuts(2);
  constant.add(no_cuts, std::vector<float>{1, 2, 1, 2}, std::vector<std::uint8_t>{1, 0});
  constant.add(no_cuts, {}, {});
  EXPECT_EQ(learn_list_trees({constant, no_cuts}, options, {}).trees[1].nodes.size(), 1U);
  options.objective = Objective::kLogLoss;
  EXPECT_TRUE(std::isfinite(learn_list_trees({none, {}}, options, {}).trees[0].nodes[0].value));
}

TEST(ListLearner, RefusesBadOptionsAndNumbers) {
  const auto code_with = [](const std::function<void(ListLearnerOptions&)>& change) {
    ListLearnerOptions options = few_trees();
    change(options);
    try {
      options.validate();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInterrupted;
  };
  EXPECT_EQ(code_with([](auto& o) { o.depth = 9; }), ErrorCode::kUsage);
  EXPECT_EQ(code_with([](auto& o) { o.list_share = 0; }), ErrorCode::kUsage);
  EXPECT_EQ(code_with([](auto& o) { o.split.lambda = std::nan(""); }), ErrorCode::kUsage);
  Lists lists;
  const std::vector<float> bad = {std::numeric_limits<float>::quiet_NaN()};
  EXPECT_THROW(lists.add(trees::FeatureCuts(1), bad, std::vector<std::uint8_t>{0}), Error);
  EXPECT_THROW(cuts_of_rows(bad, 1, 256, {}), Error);
}

}  // namespace
}  // namespace greenkgc::trees
