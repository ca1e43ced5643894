#include "evidence/profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

class ProfilesTest : public testing::Test {
 protected:
  ProfilesTest() : facts_(30, 4, 60, 3), graph_(facts_.indexed()), profiles_(graph_, {}) {}

  bool has(std::uint32_t entity, std::uint32_t relation) const {
    return !facts_.members(EntityId{entity}, DirectedRelation{relation}).empty();
  }
  // By counting entities one by one.
  float expected_share(std::uint32_t entity, std::uint32_t relation) const {
    float largest = 0;
    for (std::uint32_t other = 0; other < 8; ++other) {
      if (other == relation || !has(entity, other)) continue;
      float holders = 0;
      float both = 0;
      for (std::uint32_t e = 0; e < 30; ++e) {
        if (e == entity || !has(e, other)) continue;
        ++holders;
        both += has(e, relation) ? 1 : 0;
      }
      if (holders > 0) largest = std::max(largest, both / holders);
    }
    return largest;
  }

  const RandomGraph facts_;
  const EvidenceGraph graph_;
  const Profiles profiles_;
};

TEST_F(ProfilesTest, ShareIsThatOfOtherEntitiesCountedOneByOne) {
  for (std::uint32_t e = 0; e < 30; ++e) {
    for (std::uint32_t r = 0; r < 8; ++r)
      EXPECT_FLOAT_EQ(profiles_.share(EntityId{e}, DirectedRelation{r}), expected_share(e, r))
          << e << " " << r;
  }
}

TEST_F(ProfilesTest, LikelyEntitiesHaveTheRelationOrTheShare) {
  for (const float least : {0.05F, 0.3F, 0.6F, 1.0F}) {
    for (std::uint32_t r = 0; r < 8; ++r) {
      std::vector<EntityId> expected;
      for (std::uint32_t e = 0; e < 30; ++e) {
        if (has(e, r) || expected_share(e, r) >= least) expected.push_back(EntityId{e});
      }
      EXPECT_EQ(profiles_.likely(DirectedRelation{r}, least), expected) << r << " " << least;
    }
  }
}

TEST_F(ProfilesTest, SingleCountsOwnersOfOneFact) {
  for (std::uint32_t r = 0; r < 8; ++r) {
    std::uint32_t single = 0;
    for (std::uint32_t e = 0; e < 30; ++e)
      single += facts_.members(EntityId{e}, DirectedRelation{r}).size() == 1 ? 1 : 0;
    EXPECT_EQ(profiles_.single(DirectedRelation{r}), single);
  }
}

TEST(Profiles, ARelationThatOneEntityHasAloneGivesNoShare) {
  RandomGraph facts(3, 2, 0, 1);
  facts.facts = {{EntityId{0}, RelationId{0}, EntityId{1}}, {EntityId{0}, RelationId{1}, EntityId{2}}};
  const EvidenceGraph graph = facts.indexed();
  const Profiles profiles(graph, {});
  EXPECT_EQ(profiles.share(EntityId{0}, DirectedRelation{2}), 0);
  EXPECT_THAT(profiles.likely(DirectedRelation{2}, 0.05F), testing::ElementsAre(EntityId{0}));
}

}  // namespace
}  // namespace greenkgc::evidence
