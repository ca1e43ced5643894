#include "trees/list_trees.h"

#include <gtest/gtest.h>

#include <random>

namespace greenkgc::trees {
namespace {

// As long as it may, each node is split with some probability.
void split_further(ListTree& tree, std::size_t node, std::size_t depth, const FeatureCuts& cuts,
                   std::mt19937& random) {
  if (depth == 0 || random() % 4 == 0) {
    tree.nodes[node].value = static_cast<float>(random() % 1000) / 7;
    return;
  }
  const auto left = static_cast<std::uint16_t>(tree.nodes.size());
  const auto feature = static_cast<std::uint16_t>(random() % cuts.size());
  tree.nodes[node] = {
      .feature = feature, .left = left, .bin = static_cast<std::uint8_t>(random() % cuts[feature].size())};
  tree.nodes.resize(tree.nodes.size() + 2);
  split_further(tree, left, depth - 1, cuts, random);
  split_further(tree, left + 1U, depth - 1, cuts, random);
}

float walk(const ListTrees& trees, std::span<const float> row) {
  float margin = 0;
  for (const ListTree& tree : trees.trees) {
    std::size_t at = 0;
    while (!tree.nodes[at].is_leaf()) {
      const ListTreeNode& node = tree.nodes[at];
      at = row[node.feature] < trees.cuts[node.feature][node.bin] ? node.left : node.left + 1U;
    }
    margin += tree.nodes[at].value;
  }
  return margin;
}

class RandomListTrees : public testing::Test {
 protected:
  RandomListTrees() {
    trees_.features = {"a", "b", "c"};
    trees_.cuts = {{-1.5F, 0, 0.1F, 2}, {0.5F}, {-3, -2, -1, 0, 1, 2, 3}};
    for (std::size_t i = 0; i < 30; ++i) {
      trees_.trees.emplace_back().nodes.resize(1);
      split_further(trees_.trees.back(), 0, kMostListDepth, trees_.cuts, random_);
    }
    trees_.trees.push_back({{{.value = 0.5F}}});
    // Values at cuts, beside them, and far away.
    const std::vector<float> values = {-1.5F, 0, 0.1F, 2, 0.5F, -3, -2, 3, -1e30F, 1e30F, 0.099999F, 0.25F};
    for (std::size_t i = 0; i < 3 * kRows; ++i) rows_.push_back(values[random_() % values.size()]);
  }

  static constexpr std::size_t kRows = 141;
  std::mt19937 random_{8};
  ListTrees trees_;
  std::vector<float> rows_;
};

TEST_F(RandomListTrees, ScorerAgreesWithAWalk) {
  std::vector<float> margins(kRows);
  ListScorer(trees_).add_values(rows_, margins);
  for (std::size_t i = 0; i < kRows; ++i)
    EXPECT_EQ(margins[i], walk(trees_, std::span(rows_).subspan(3 * i, 3))) << i;
}

TEST_F(RandomListTrees, BinsAgreeWithNumbers) {
  std::vector<std::uint8_t> bins;
  for (std::size_t i = 0; i < rows_.size(); ++i) bins.push_back(bin_of(trees_.cuts[i % 3], rows_[i]));
  std::vector<float> margins(kRows);
  for (const ListTree& tree : trees_.trees) packed_for_bins(tree).add_values(bins.data(), 3, margins);
  for (std::size_t i = 0; i < kRows; ++i)
    EXPECT_EQ(margins[i], walk(trees_, std::span(rows_).subspan(3 * i, 3))) << i;
}

TEST(ListScorer, WithoutTreesMarginsStayAsTheyAre) {
  std::vector<float> margins = {7};
  ListScorer(ListTrees{.features = {"a"}, .cuts = {{}}, .trees = {}})
      .add_values(std::vector<float>{1}, margins);
  EXPECT_EQ(margins[0], 7);
}

}  // namespace
}  // namespace greenkgc::trees
