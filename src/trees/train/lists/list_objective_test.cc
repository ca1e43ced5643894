#include "trees/train/lists/list_objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_lists.h"

namespace greenkgc::trees {
namespace {

Lists lists_of(const std::vector<std::vector<int>>& labels) {
  Lists lists;
  for (const auto& own : labels) {
    lists.labels.insert(lists.labels.end(), own.begin(), own.end());
    lists.ends.push_back(lists.labels.size());
  }
  return lists;
}

// The sum over answers of -log p, by its definition.
double softmax_loss(const Lists& lists, const std::vector<double>& margins) {
  double loss = 0;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    for (std::size_t answer = lists.begin(list); answer < lists.end(list); ++answer) {
      if (lists.labels[answer] == 0) continue;
      double total = std::exp(margins[answer]);
      for (std::size_t i = lists.begin(list); i < lists.end(list); ++i)
        total += lists.labels[i] == 0 ? std::exp(margins[i]) : 0;
      loss -= std::log(std::exp(margins[answer]) / total);
    }
  }
  return loss;
}

TEST(ListObjective, SoftmaxGradientsAreDerivativesOfTheLoss) {
  const Lists lists = lists_of({{0, 1, 0}, {1, 0, 1, 0}, {0, 0}, {1}, {}});
  std::vector<double> margins = {0.5, -1, 2, 0.25, 1, -0.5, 0, 3, 1, 2};
  const std::vector<float> given(margins.begin(), margins.end());
  std::vector<simd::GradientPair> gradients(margins.size());
  list_gradients(Objective::kSoftmax, lists, given, gradients, {});
  constexpr double kStep = 1e-4;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const double at = softmax_loss(lists, margins);
    margins[i] += kStep;
    const double above = softmax_loss(lists, margins);
    margins[i] -= 2 * kStep;
    const double below = softmax_loss(lists, margins);
    margins[i] += kStep;
    EXPECT_NEAR(gradients[i].gradient / simd::kGradientUnit, (above - below) / (2 * kStep), 1e-6) << i;
    EXPECT_NEAR(gradients[i].hessian / simd::kGradientUnit, (above - 2 * at + below) / (kStep * kStep), 1e-5)
        << i;
  }
  EXPECT_EQ(gradients[7].hessian, 0);  // of the list without answers
  const ListFigures figures = list_figures(Objective::kSoftmax, lists, given, {});
  EXPECT_NEAR(figures.loss, softmax_loss(lists, margins) / 4, 1e-6);
}

TEST(ListObjective, ManyAnswersDoNotOverflow) {
  Lists lists = lists_of({std::vector<int>(1000, 1)});
  lists.labels[0] = 0;
  std::vector<float> margins(1000, -50);
  margins[0] = 50;
  std::vector<simd::GradientPair> gradients(1000);
  list_gradients(Objective::kSoftmax, lists, margins, gradients, {});
  EXPECT_NEAR(gradients[0].gradient / simd::kGradientUnit, simd::kMostWeight, 1e-5);
  EXPECT_NEAR(gradients[1].gradient / simd::kGradientUnit, -simd::kMostWeight / 999.0, 1e-6);
  for (const simd::GradientPair& pair : gradients) EXPECT_GE(pair.hessian, 1);
  EXPECT_TRUE(std::isfinite(list_figures(Objective::kSoftmax, lists, margins, {}).loss));
  margins.assign(1000, -500);  // of which only an answer's is not far below
  margins[7] = 500;
  list_gradients(Objective::kSoftmax, lists, margins, gradients, {});
  EXPECT_TRUE(std::isfinite(list_figures(Objective::kSoftmax, lists, margins, {}).loss));
}

TEST(ListObjective, LogLossIsOfEachRow) {
  const Lists lists = lists_of({{0, 1}, {0}});
  const std::vector<float> margins = {0, 1, -2};
  std::vector<simd::GradientPair> gradients(3);
  list_gradients(Objective::kLogLoss, lists, margins, gradients, {});
  EXPECT_NEAR(gradients[1].gradient / simd::kGradientUnit, 1 / (1 + std::exp(-1.0)) - 1, 1e-6);
  EXPECT_NEAR(gradients[2].gradient / simd::kGradientUnit, 1 / (1 + std::exp(2.0)), 1e-6);
  const double expected = (std::log(2) + std::log1p(std::exp(-1.0)) + std::log1p(std::exp(-2.0))) / 3;
  EXPECT_NEAR(list_figures(Objective::kLogLoss, lists, margins, {}).loss, expected, 1e-6);
}

// Ties count half, other answers not at all, lists without answers neither.
TEST(ListObjective, MrrByHand) {
  const Lists lists = lists_of({{0, 1, 1, 0, 0}, {0, 0}, {1, 0}});
  const std::vector<float> margins = {2, 1, 3, 1, 0, 7, 8, 0, -1};
  const double expected = (1 / 2.5 + 1 / 1.0 + 1 / 1.0) / 3;
  EXPECT_NEAR(list_figures(Objective::kSoftmax, lists, margins, {}).mrr, expected, 1e-12);
}

TEST(ListObjective, SameForAnyNumberOfThreads) {
  const RandomLists problem(1000, 9, 2, 3);
  std::vector<float> margins;
  for (std::size_t i = 0; i < problem.lists.rows(); ++i) margins.push_back(problem.values[2 * i]);
  std::vector<simd::GradientPair> one(margins.size());
  std::vector<simd::GradientPair> four(margins.size());
  list_gradients(Objective::kSoftmax, problem.lists, margins, one, {.threads = 1});
  list_gradients(Objective::kSoftmax, problem.lists, margins, four, {.threads = 4});
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].gradient, four[i].gradient);
    ASSERT_EQ(one[i].hessian, four[i].hessian);
  }
  const auto a = list_figures(Objective::kSoftmax, problem.lists, margins, {.threads = 1});
  const auto b = list_figures(Objective::kSoftmax, problem.lists, margins, {.threads = 4});
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.mrr, b.mrr);
}

}  // namespace
}  // namespace greenkgc::trees
