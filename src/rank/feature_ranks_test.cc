#include "rank/ranks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::rank {
namespace {

// DistMult of four dimensions and two groups; relation 1 alone is in group 1.
features::Features two_groups() {
  features::Features features;
  kge::Embeddings& e = features.pruned;
  e.kge = &kge::kge_model("distmult");
  e.similarity = kge::Similarity::kDot;
  e.dims = 4;
  e.entity_count = 30;
  e.relation_count = 3;
  std::mt19937 random(6);
  std::normal_distribution<float> normal;
  e.entities.resize(30 * 4);
  e.relations.resize(3 * 4);
  for (float& x : e.entities) x = normal(random);
  for (float& x : e.relations) x = normal(random);
  features.group_of = {0, 1, 0};
  features.groups.resize(2);
  features.groups[0].kept = {3, 0};
  features.groups[1].kept = {1, 2};
  return features;
}

// Candidates that beat the answer by the kept dimensions, one by one.
std::uint32_t better_than_answer(const features::Features& features, const RankQuery& query) {
  const kge::Embeddings& e = features.pruned;
  const std::uint32_t relation = index(query.relation);
  const auto score = [&](std::uint32_t candidate) {
    double total = 0;
    for (const std::uint32_t k : features.groups[features.group_of[relation]].kept) {
      total += static_cast<double>(e.entities[index(query.known) * 4 + k]) *
               static_cast<double>(e.relations[relation * 4 + k]) *
               static_cast<double>(e.entities[candidate * 4 + k]);
    }
    return total;
  };
  std::uint32_t better = 0;
  for (std::uint32_t c = 0; c < e.entity_count; ++c)
    better += c != index(query.answer) && score(c) > score(index(query.answer)) ? 1 : 0;
  return better;
}

TEST(FeatureRanks, EachQueryByTheDimensionsOfItsRelationsGroup) {
  const features::Features features = two_groups();
  std::vector<RankQuery> queries;
  for (std::uint32_t i = 0; i < 60; ++i) {
    queries.push_back({EntityId{i % 30}, RelationId{i % 3}, EntityId{(7 * i + 2) % 30},
                       i % 2 == 0 ? Side::kTail : Side::kHead});
  }
  const auto ranks = rank_answers(features, queries, {}, Context{});
  ASSERT_EQ(ranks.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(ranks[i].all.better, better_than_answer(features, queries[i])) << i;
}

}  // namespace
}  // namespace greenkgc::rank
