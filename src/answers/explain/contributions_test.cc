#include "answers/explain/contributions.h"

#include <gtest/gtest.h>

#include "rank/rankers/fact_margins.h"
#include "support/random_decisions.h"

namespace greenkgc::answers {
namespace {

using features::TriplePart;

double sum_of(const TreeContributions& contributions) {
  double sum = contributions.expected;
  for (const Contribution& c : contributions.dimensions) sum += c.head + c.relation + c.tail;
  return sum;
}

TEST(Contributions, AddUpToTheMargin) {
  for (const std::size_t depth : {0U, 1U, 4U, 7U}) {
    model::Decisions decisions = rank::RandomDecisions({.trees = 50, .depth = depth}).make();
    decisions.embeddings.dims = 3;
    std::vector<Triple> facts;
    for (std::uint32_t i = 0; i < 100; ++i)
      facts.push_back({EntityId{i}, RelationId{i % 5}, EntityId{299 - i}});
    const auto margins = rank::margins_of(decisions, facts, Context{});
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const double base = base_parts_of(decisions, facts[i]).constant;
      EXPECT_NEAR(base + sum_of(contributions_of(decisions, facts[i])), static_cast<double>(margins[i]),
                  1e-4);
    }
  }
}

// Two entities with values 2 and 3 in one dimension; two relations with 1 and 5.
class TwoByTwo : public testing::Test {
 protected:
  TwoByTwo() {
    const std::vector<std::vector<float>> entities = {{2, 3}};
    const std::vector<std::vector<float>> relations = {{1, 5}};
    decisions_.tables = {features::BinnedTable(2), features::BinnedTable(2)};
    decisions_.tables.entities.fill(entities, "entity", 256, Context{});
    decisions_.tables.relations.fill(relations, "relation", 256, Context{});
    decisions_.embeddings.kge = &kge::kge_model("distmult");
    decisions_.embeddings.dims = 1;
    decisions_.embeddings.entity_count = 2;
    decisions_.embeddings.relation_count = 2;
    decisions_.embeddings.relations = {1, 5};
    decisions_.group_of = {0, 0};
    decisions_.groups.resize(1);
    decisions_.groups[0].kept = {0};
  }
  static trees::TreeNode inner(features::TriplePart part, std::uint8_t left) {
    trees::TreeNode node;
    node.column = {part, 0};
    node.left = left;
    return node;
  }
  static trees::TreeNode leaf(float value) {
    trees::TreeNode node;
    node.value = value;
    return node;
  }
  model::Decisions decisions_;
};

// Leaves 6 (low head), and below a high head 0 (low tail) and 9 (high tail): the root's value is 5, that of
// the split by tail 4.5.
TEST_F(TwoByTwo, CreditsAreChangesOfTheMeanOfLeaves) {
  decisions_.groups[0].trees.trees = {{{inner(features::TriplePart::kHead, 1), leaf(6),
                                        inner(features::TriplePart::kTail, 3), leaf(0), leaf(9)}}};
  const auto credits = [&](std::uint32_t head, std::uint32_t tail) {
    const auto result = contributions_of(decisions_, {EntityId{head}, RelationId{0}, EntityId{tail}});
    EXPECT_DOUBLE_EQ(result.expected, 5);
    EXPECT_EQ(result.dimensions.size(), 1U);
    return result.dimensions.at(0);
  };
  EXPECT_DOUBLE_EQ(credits(0, 1).head, 1);
  EXPECT_DOUBLE_EQ(credits(0, 1).tail, 0);
  EXPECT_DOUBLE_EQ(credits(1, 0).head, -0.5);
  EXPECT_DOUBLE_EQ(credits(1, 0).tail, -4.5);
  EXPECT_DOUBLE_EQ(credits(1, 1).tail, 4.5);
  EXPECT_DOUBLE_EQ(credits(1, 1).relation, 0);
}

TEST_F(TwoByTwo, PartsOfTheBaseMargin) {
  const std::vector<Triple> facts = {{EntityId{0}, RelationId{1}, EntityId{1}},
                                     {EntityId{0}, RelationId{1}, EntityId{0}},
                                     {EntityId{1}, RelationId{1}, EntityId{1}}};
  decisions_.counts = {facts, 2};
  decisions_.base.resize(2);
  decisions_.base[1] = {.head = {9, 9, 9, 9, 9}, .tail = {0.5F, 0.25F, 2, -1, -3}};
  const BaseParts parts = base_parts_of(decisions_, facts[0]);
  EXPECT_DOUBLE_EQ(parts.constant, 0.5);
  EXPECT_NEAR(parts.score, 0.25 * (2 * 5 * 3), 1e-5);
  EXPECT_NEAR(parts.head_count, 2 * std::log(3), 1e-6);
  EXPECT_NEAR(parts.tail_count, -1 * std::log(3), 1e-6);
  EXPECT_DOUBLE_EQ(parts.self, 0);
  EXPECT_DOUBLE_EQ(base_parts_of(decisions_, facts[1]).self, -3);
  decisions_.base[1].reset();
  decisions_.groups[0].trees.base_margin = 7;
  EXPECT_DOUBLE_EQ(base_parts_of(decisions_, facts[0]).constant, 7);
  EXPECT_DOUBLE_EQ(base_parts_of(decisions_, facts[0]).score, 0);
}

}  // namespace
}  // namespace greenkgc::answers
