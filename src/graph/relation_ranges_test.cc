#include "graph/relation_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Triple fact(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  return {EntityId{head}, RelationId{relation}, EntityId{tail}};
}

TEST(RelationRanges, AreSortedAndUnique) {
  const std::vector<Triple> facts = {fact(5, 0, 1), fact(2, 0, 1), fact(5, 0, 9), fact(5, 2, 5),
                                     fact(5, 0, 1)};
  const RelationRanges ranges(facts, 3);
  EXPECT_THAT(ranges.heads(RelationId{0}), ElementsAre(EntityId{2}, EntityId{5}));
  EXPECT_THAT(ranges.tails(RelationId{0}), ElementsAre(EntityId{1}, EntityId{9}));
  EXPECT_THAT(ranges.head_counts(RelationId{0}), ElementsAre(1, 3));
  EXPECT_THAT(ranges.tail_counts(RelationId{0}), ElementsAre(3, 1));
  EXPECT_EQ(ranges.all_heads().count(RelationId{0}, EntityId{5}), 3U);
  EXPECT_EQ(ranges.all_heads().count(RelationId{0}, EntityId{3}), 0U);
  EXPECT_EQ(ranges.all_tails().count(RelationId{2}, EntityId{9}), 0U);
  EXPECT_THAT(ranges.heads(RelationId{1}), IsEmpty());
  EXPECT_THAT(ranges.head_counts(RelationId{1}), IsEmpty());
  EXPECT_THAT(ranges.tails(RelationId{2}), ElementsAre(EntityId{5}));
}

TEST(RelationRanges, OfNoFacts) {
  const RelationRanges ranges({}, 2);
  EXPECT_THAT(ranges.heads(RelationId{0}), IsEmpty());
  EXPECT_THAT(ranges.tails(RelationId{1}), IsEmpty());
}

}  // namespace
}  // namespace greenkgc::graph
