#include "trees/train/tree_grower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "greenkgc/error.h"
#include "support/exact_learner.h"

namespace greenkgc::trees {
namespace {

using trees::Tree;
using trees::TripleColumn;

std::vector<TripleColumn> columns_of(const features::SideTables& tables) {
  std::vector<TripleColumn> columns;
  for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail}) {
    for (std::uint32_t v = 0; v < tables.of(part).columns(); ++v) columns.push_back({part, v});
  }
  return columns;
}

// As at margins that differ from row to row.
std::vector<simd::GradientPair> gradients_of(const RandomProblem& problem) {
  const CounterRandom random(5, 5);
  std::vector<float> margins(problem.samples.size());
  for (std::size_t i = 0; i < margins.size(); ++i) margins[i] = static_cast<float>(2 * random.unit(i) - 1);
  std::vector<simd::GradientPair> pairs(margins.size());
  simd::logistic_gradients(margins, problem.samples.labels, pairs);
  return pairs;
}

void expect_same(const Tree& tree, const ExactTree& exact) {
  ASSERT_EQ(tree.nodes.size(), exact.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    SCOPED_TRACE(n);
    ASSERT_EQ(tree.nodes[n].is_leaf(), exact.nodes[n].left < 0);
    if (tree.nodes[n].is_leaf()) {
      EXPECT_NEAR(tree.nodes[n].value, exact.nodes[n].value, 1e-6);
      continue;
    }
    EXPECT_EQ(tree.nodes[n].left, exact.nodes[n].left);
    EXPECT_EQ(tree.nodes[n].column.part, exact.nodes[n].part);
    EXPECT_EQ(tree.nodes[n].column.variable, exact.nodes[n].variable);
    EXPECT_EQ(tree.nodes[n].bin, exact.nodes[n].bin);
  }
}

// The sums of both are exact, so even ties come out the same.
void expect_exact(const ProblemSize& size, const GrowthRule& rule, std::uint64_t seed,
                  const std::function<void(std::vector<simd::GradientPair>&)>& change = {}) {
  const RandomProblem problem(size, seed);
  std::vector<simd::GradientPair> pairs = gradients_of(problem);
  if (change) change(pairs);
  std::vector<ExactTree::Derivatives> derivatives;
  for (const simd::GradientPair& pair : pairs)
    derivatives.push_back({pair.gradient / simd::kGradientUnit, pair.hessian / simd::kGradientUnit});
  TreeGrower grower(problem.tables, problem.samples, rule);
  const Tree tree = grower.grow(pairs, columns_of(problem.tables), {});
  const ExactTree exact(problem, derivatives, rule.split, rule.depth);
  EXPECT_GT(tree.nodes.size(), 4U);
  expect_same(tree, exact);
  for (std::size_t row = 0; row < size.rows; ++row) {
    EXPECT_NEAR(tree.nodes[grower.leaves()[row]].value, exact.value_of(row), 1e-6);
    EXPECT_EQ(leaf_of(tree, problem.tables, problem.samples.triple(row)), grower.leaves()[row]);
  }
}

TEST(TreeGrower, ManyRowsPerEntityGiveTheExactTree) {
  expect_exact({.entities = 20, .rows = 3000}, {.depth = 4}, 1);
  expect_exact({.entities = 11, .relations = 40, .entity_columns = 2, .relation_columns = 5, .rows = 1500},
               {.split = {.lambda = 0, .min_child_weight = 0}, .depth = 7}, 2);
}

TEST(TreeGrower, FewRowsPerEntityGiveTheExactTree) {
  expect_exact({.entities = 700, .entity_columns = 2, .rows = 300}, {.depth = 5}, 3);
  // Summed at the root, listed further down.
  expect_exact({.entities = 300, .entity_columns = 2, .rows = 1000}, {.depth = 5}, 4);
}

TEST(TreeGrower, RegularisationIsThatOfTheExactTree) {
  expect_exact({.entities = 30, .rows = 1500}, {.split = {.lambda = 10, .gamma = 3}, .depth = 6}, 5);
  expect_exact({.entities = 30, .rows = 1500}, {.split = {.min_child_weight = 30}, .depth = 6}, 6);
}

TEST(TreeGrower, LittleMemoryForTablesChangesNothing) {
  expect_exact({.entities = 20, .rows = 3000}, {.depth = 5, .table_bytes = 1}, 1);
  expect_exact({.entities = 20, .rows = 3000}, {.depth = 5, .table_bytes = 2000}, 1);
}

TEST(TreeGrower, RowsThatAreLeftOutDoNotCount) {
  expect_exact({.entities = 30, .rows = 2000}, {.depth = 4}, 7, [](std::vector<simd::GradientPair>& pairs) {
    for (std::size_t i = 0; i < pairs.size(); i += 3) pairs[i] = {0, 0};
  });
}

TEST(TreeGrower, OnlyGivenColumnsAreUsed) {
  const RandomProblem problem({.rows = 2000});
  TreeGrower grower(problem.tables, problem.samples, {.depth = 5});
  const std::vector<TripleColumn> columns = {{TriplePart::kHead, 2}, {TriplePart::kTail, 1}};
  const Tree tree = grower.grow(gradients_of(problem), columns, {});
  EXPECT_GT(tree.nodes.size(), 10U);
  for (const trees::TreeNode& node : tree.nodes) {
    if (!node.is_leaf()) {
      EXPECT_TRUE(std::ranges::count(columns, node.column) == 1);
    }
  }
}

TEST(TreeGrower, ThresholdsAndBinsSayTheSame) {
  const RandomProblem problem({.entities = 900, .rows = 4000});
  TreeGrower grower(problem.tables, problem.samples, {.depth = 7});
  const Tree tree = grower.grow(gradients_of(problem), columns_of(problem.tables), {});
  for (std::size_t row = 0; row < problem.samples.size(); ++row) {
    std::size_t at = 0;
    while (!tree.nodes[at].is_leaf()) {
      const auto& node = tree.nodes[at];
      const float x = problem.value(row, node.column.part, node.column.variable);
      at = node.left + (x < node.threshold ? 0U : 1U);
    }
    ASSERT_EQ(at, grower.leaves()[row]);
  }
}

TEST(TreeGrower, ThreadsDoNotMatter) {
  const RandomProblem problem({.entities = 2000, .rows = 150'000});
  const auto pairs = gradients_of(problem);
  std::vector<Tree> trees;
  for (const int threads : {1, 2, 5}) {
    TreeGrower grower(problem.tables, problem.samples, {.depth = 6});
    trees.push_back(grower.grow(pairs, columns_of(problem.tables), Context{.threads = threads}));
    // A second tree, since the memory of the first is used again.
    EXPECT_EQ(grower.grow(pairs, columns_of(problem.tables), Context{.threads = threads}), trees.back());
  }
  EXPECT_GT(trees[0].nodes.size(), 50U);
  EXPECT_EQ(trees[1], trees[0]);
  EXPECT_EQ(trees[2], trees[0]);
}

TEST(TreeGrower, ConstantFeaturesGiveOneLeaf) {
  RandomProblem problem({.entities = 10, .rows = 100});
  for (auto& column : problem.entity_values) std::ranges::fill(column, 3.0F);
  for (auto& column : problem.relation_values) std::ranges::fill(column, -1.0F);
  problem.tables.entities.fill(problem.entity_values, "entity", 256, {});
  problem.tables.relations.fill(problem.relation_values, "relation", 256, {});
  const auto pairs = gradients_of(problem);
  TreeGrower grower(problem.tables, problem.samples, {.depth = 5});
  const Tree tree = grower.grow(pairs, columns_of(problem.tables), {});
  ASSERT_EQ(tree.nodes.size(), 1U);
  double gradient = 0;
  double hessian = 1;  // lambda
  for (const simd::GradientPair& pair : pairs) {
    gradient += pair.gradient / simd::kGradientUnit;
    hessian += pair.hessian / simd::kGradientUnit;
  }
  EXPECT_NEAR(tree.nodes[0].value, -gradient / hessian, 1e-6);
}

TEST(TreeGrower, OneRowOrNoneGiveOneLeaf) {
  for (const std::size_t rows : {0U, 1U}) {
    const RandomProblem problem({.rows = rows});
    TreeGrower grower(problem.tables, problem.samples, {.depth = 5});
    EXPECT_EQ(grower.grow(gradients_of(problem), columns_of(problem.tables), {}).nodes.size(), 1U);
  }
}

TEST(TreeGrower, StopsWhenAsked) {
  const RandomProblem problem({.rows = 1000});
  const std::atomic<bool> cancel = true;
  TreeGrower grower(problem.tables, problem.samples, {.depth = 5});
  EXPECT_THROW(grower.grow(gradients_of(problem), columns_of(problem.tables), Context{.cancel = &cancel}),
               Error);
}

}  // namespace
}  // namespace greenkgc::trees
