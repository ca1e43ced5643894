#include "kge/embeddings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "kge/chosen_dims.h"

namespace greenkgc::kge {
namespace {

using testing::ElementsAre;

// One entity and one relation in three dimensions, of which the last is a range dimension.
Embeddings sample(std::string_view kge, std::vector<float> entity, std::vector<float> relation) {
  Embeddings embeddings;
  embeddings.kge = &kge_model(kge);
  embeddings.similarity = embeddings.kge->similarities().front();
  embeddings.dims = 3;
  embeddings.entity_count = 1;
  embeddings.relation_count = 1;
  embeddings.range_dims = last_dims(3, 1);
  embeddings.entities = std::move(entity);
  embeddings.relations = std::move(relation);
  return embeddings;
}

std::vector<float> query(const Embeddings& embeddings, Side side) {
  std::vector<float> q(embeddings.entity_width());
  embeddings.query(EntityId{0}, RelationId{0}, side, std::span(q));
  std::vector<double> exact(q.size());
  embeddings.query(EntityId{0}, RelationId{0}, side, std::span(exact));
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], exact[i], 1e-6);
  return q;
}

TEST(Embeddings, ARangeDimensionOfAQueryIsTheRelation) {
  const Embeddings products = sample("distmult", {2, 3, 5}, {7, 11, 13});
  EXPECT_THAT(query(products, Side::kTail), ElementsAre(14, 33, 13));
  const Embeddings sums = sample("transe", {2, 3, 5}, {7, 11, 13});
  EXPECT_THAT(query(sums, Side::kTail), ElementsAre(9, 14, 13));
  EXPECT_THAT(query(sums, Side::kHead), ElementsAre(-5, -8, -13));
  // (2 + i) (3 - i) = 7 + i, i (1 + i) = -1 + i, and the relation's 4 + 6i or its conjugate.
  const Embeddings complex = sample("complex", {2, 0, 9, 1, 1, 9}, {3, 1, 4, -1, 1, 6});
  EXPECT_THAT(query(complex, Side::kTail), ElementsAre(7, -1, 4, 1, 1, 6));
  EXPECT_THAT(query(complex, Side::kHead), ElementsAre(5, 1, 4, 5, 1, -6));
  // Turned by nothing, and by half a turn; then a phase of 0.
  const Embeddings rotate = sample("rotate", {2, 3, 9, 1, 1, 9}, {0, std::numbers::pi_v<float>, 0});
  const auto turned = query(rotate, Side::kTail);
  EXPECT_NEAR(turned[1], -3, 1e-5);
  EXPECT_NEAR(turned[2], rotate.kge->neutral(), 1e-6);
  EXPECT_NEAR(turned[5], 0, 1e-6);
}

TEST(Embeddings, RangeDimensionsAreFoundAmongChosenOnes) {
  const Embeddings whole = sample("distmult", {2, 3, 5}, {7, 11, 13});
  const std::vector<std::uint32_t> dims = {2, 0};
  const Embeddings part = with_dims(whole, dims);
  EXPECT_THAT(part.range_dims, ElementsAre(0));
  EXPECT_THAT(query(part, Side::kTail), ElementsAre(13, 14));
  const std::vector<std::uint32_t> others = {1, 0};
  EXPECT_THAT(with_dims(whole, others).range_dims, ElementsAre());
}

TEST(Embeddings, TheKnownEntityHasNoSlopeInARangeDimension) {
  const Embeddings embeddings = sample("distmult", {2, 3, 5}, {7, 11, 13});
  std::vector<float> known(3);
  std::vector<float> relation(3);
  const std::vector<float> slope = {1, 10, 100};
  embeddings.query_gradient(EntityId{0}, RelationId{0}, Side::kTail, slope, known, relation);
  EXPECT_THAT(known, ElementsAre(7, 110, 0));
  EXPECT_THAT(relation, ElementsAre(2, 30, 100));
  const Embeddings rotate = sample("rotate", {2, 3, 9, 1, 1, 9}, {1, 2, 0});
  std::vector<float> turned(6);
  const std::vector<float> slopes = {1, 10, 100, 1, 10, 100};
  rotate.query_gradient(EntityId{0}, RelationId{0}, Side::kTail, slopes, turned, relation);
  EXPECT_EQ(turned[2], 0);
  EXPECT_EQ(turned[5], 0);
  EXPECT_NE(relation[1], 0);
  EXPECT_EQ(relation[2], 0);
}

}  // namespace
}  // namespace greenkgc::kge
