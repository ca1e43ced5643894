#include "features/prune/selectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "features/phase_form.h"
#include "features/prune/groups.h"
#include "greenkgc/error.h"

namespace greenkgc::features {
namespace {

using testing::ElementsAre;

TEST(Lowest, BestFirstAndTiesByDimension) {
  const std::vector<double> costs = {0.5, 0.1, 0.5, 0.9, 0.1};
  EXPECT_THAT(lowest(costs, 3), ElementsAre(1, 4, 0));
  EXPECT_THAT(lowest(costs, 9), ElementsAre(1, 4, 0, 2, 3));
}

class SelectorsTest : public testing::Test {
 protected:
  // Tails of true facts have 1 in dimension 2, false ones 0. Dimension 1 varies most.
  SelectorsTest() {
    embeddings_.kge = &kge::kge_model("distmult");
    embeddings_.dims = 4;
    embeddings_.entity_count = 40;
    embeddings_.relation_count = 1;
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    for (std::uint32_t e = 0; e < 40; ++e) {
      for (const float x : {normal(random), 9 * normal(random), e < 20 ? 1.0F : 0.0F, 0.5F})
        embeddings_.entities.push_back(x);
    }
    embeddings_.relations.assign(4, 0.0F);
    for (std::uint32_t i = 0; i < 400; ++i) {
      samples_.heads.push_back(i % 40);
      samples_.relations.push_back(0);
      samples_.tails.push_back(i < 200 ? i % 20 : 20 + i % 20);
    }
    samples_.positives = 200;
  }
  std::vector<std::uint32_t> order(std::string_view name) const {
    const Context context;
    const features::TripleVariables variables(embeddings_, features::PhaseForm::kAngle);
    const auto tests = test_dimensions(variables, std::span(&samples_, 1), {}, context);
    return lowest(selector(name).costs({variables, samples_, tests[0], 0}, context), 4);
  }
  kge::Embeddings embeddings_;
  SampleSet samples_;
};

TEST_F(SelectorsTest, EachGoesByItsOwn) {
  EXPECT_EQ(order("dft").front(), 2U);
  EXPECT_EQ(order("dft").back(), 3U);
  EXPECT_EQ(order("dft-reversed").front(), 3U);
  EXPECT_EQ(order("dft-reversed").back(), 2U);
  EXPECT_EQ(order("variance").front(), 1U);
  EXPECT_EQ(order("variance").back(), 3U);
  EXPECT_EQ(order("forest").front(), 2U);
  EXPECT_EQ(order("forest").back(), 3U);
  EXPECT_TRUE(selector("none").keeps_all);
  EXPECT_THROW(selector("best"), Error);
}

TEST_F(SelectorsTest, RandomGoesBySeedAndGroup) {
  const features::TripleVariables variables(embeddings_, features::PhaseForm::kAngle);
  const std::vector<DimensionTest> tests(4);
  const auto costs = [&](std::uint64_t group, std::uint64_t seed) {
    return selector("random").costs({variables, samples_, tests, group}, Context{.seed = seed});
  };
  EXPECT_EQ(costs(0, 1), costs(0, 1));
  EXPECT_NE(costs(0, 1), costs(1, 1));
  EXPECT_NE(costs(0, 1), costs(0, 2));
}

TEST(Groups, ConvergeWhereCostsStopFalling) {
  EXPECT_EQ(groups_where_costs_converge(std::vector{1.0, 0.9, 0.8, 0.799, 0.798}, 0.1), 3U);
  EXPECT_EQ(groups_where_costs_converge(std::vector{1.0, 1.0, 1.0}, 0.1), 1U);
  EXPECT_EQ(groups_where_costs_converge(std::vector{1.0}, 0.1), 1U);
  // A step that brings nothing does not hide a later one that does.
  EXPECT_EQ(groups_where_costs_converge(std::vector{1.0, 1.0, 0.7, 0.7}, 0.1), 3U);
  EXPECT_EQ(groups_where_costs_converge(std::vector{1.0, 0.9, 0.8, 0.7}, 0.1), 4U) << "falls to the end";
}

// Phases that differ by a turn are one rotation.
TEST(Groups, PhasesAreClusteredAsRotations) {
  kge::Embeddings embeddings;
  embeddings.kge = &kge::kge_model("rotate");
  embeddings.dims = 1;
  embeddings.relation_count = 4;
  embeddings.relations = {0.1F, 3.0F, 6.2831853F, -3.0F};
  EXPECT_THAT(group_relations(embeddings, 2, Context{}).group_of, ElementsAre(0, 1, 0, 1));
}

}  // namespace
}  // namespace greenkgc::features
