#include "rank/ranks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "simd/targets.h"

namespace greenkgc::rank {
namespace {

using kge::Similarity;

struct Case {
  const char* model;
  Similarity similarity;
};

kge::Embeddings random_embeddings(Case which, std::uint32_t entities, std::uint32_t relations,
                                  std::size_t dims, float scale) {
  kge::Embeddings embeddings;
  embeddings.kge = &kge::kge_model(which.model);
  embeddings.similarity = which.similarity;
  embeddings.dims = dims;
  embeddings.entity_count = entities;
  embeddings.relation_count = relations;
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, scale);
  embeddings.entities.resize(entities * embeddings.entity_width());
  embeddings.relations.resize(relations * embeddings.relation_width());
  for (float& x : embeddings.entities) x = normal(random);
  for (float& x : embeddings.relations) x = normal(random);
  return embeddings;
}

double score(const kge::Embeddings& embeddings, const RankQuery& query, std::uint32_t candidate) {
  std::vector<double> q(embeddings.entity_width());
  embeddings.query(query.known, query.relation, query.side, std::span(q));
  const auto c = embeddings.entity(EntityId{candidate});
  double product = 0;
  double squared = 0;
  double manhattan = 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    product += q[k] * static_cast<double>(c[k]);
    const double difference = q[k] - static_cast<double>(c[k]);
    squared += difference * difference;
    manhattan += std::abs(difference);
  }
  if (embeddings.similarity == Similarity::kModuli) {
    double moduli = 0;
    for (std::size_t k = 0; k < embeddings.dims; ++k)
      moduli += std::hypot(q[k] - static_cast<double>(c[k]),
                           q[embeddings.dims + k] - static_cast<double>(c[embeddings.dims + k]));
    return -moduli;
  }
  return embeddings.similarity == Similarity::kDot         ? product
         : embeddings.similarity == Similarity::kManhattan ? -manhattan
                                                           : -squared;
}

// Every candidate, one by one.
Ranks brute_force(const kge::Embeddings& embeddings, const RankQuery& query, const Candidates& candidates) {
  Ranks ranks;
  const auto contains = [](std::span<const EntityId> ids, std::uint32_t id) {
    return std::find(ids.begin(), ids.end(), EntityId{id}) != ids.end();
  };
  std::span<const EntityId> range;
  if (candidates.ranges != nullptr) {
    range = query.side == Side::kTail ? candidates.ranges->tails(query.relation)
                                      : candidates.ranges->heads(query.relation);
    ranks.answer_in_range = contains(range, index(query.answer));
  }
  const double own = score(embeddings, query, index(query.answer));
  for (std::uint32_t c = 0; c < embeddings.entity_count; ++c) {
    const Triple fact = query.side == Side::kTail ? Triple{query.known, query.relation, EntityId{c}}
                                                  : Triple{EntityId{c}, query.relation, query.known};
    if (EntityId{c} == query.answer || (candidates.known != nullptr && candidates.known->contains(fact)) ||
        (EntityId{c} == query.known && !candidates.self))
      continue;
    const double other = score(embeddings, query, c);
    ranks.all.better += other > own ? 1 : 0;
    ranks.all.equal += other == own ? 1 : 0;
    if (!contains(range, c)) continue;
    ++ranks.range_candidates;
    ranks.in_range.better += other > own ? 1 : 0;
    ranks.in_range.equal += other == own ? 1 : 0;
  }
  return ranks;
}

class RanksTest : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::uint32_t kEntities = 2300;  // more than two tiles
  static constexpr std::uint32_t kRelations = 4;

  RanksTest() {
    std::mt19937 random(11);
    for (int i = 0; i < 4000; ++i) {
      facts_.push_back({EntityId{static_cast<std::uint32_t>(random() % 300)},
                        RelationId{static_cast<std::uint32_t>(random() % kRelations)},
                        EntityId{static_cast<std::uint32_t>(random() % kEntities)}});
    }
    for (int i = 0; i < 150; ++i) {
      const Triple& fact = facts_[random() % facts_.size()];
      queries_.push_back({fact.head, fact.relation, fact.tail, Side::kTail});
      queries_.push_back({fact.tail, fact.relation, fact.head, Side::kHead});
    }
  }

  void expect_exact(const kge::Embeddings& embeddings) {
    const std::array<std::span<const Triple>, 1> parts = {facts_};
    const graph::KnownFacts known(parts, kEntities, Context{});
    const graph::RelationRanges ranges({facts_.data(), 500}, kRelations);
    for (const Candidates& candidates :
         {Candidates{}, Candidates{&known, &ranges}, Candidates{&known, &ranges, false}}) {
      const auto ranks = rank_answers(embeddings, queries_, candidates, Context{.threads = 2});
      for (std::size_t i = 0; i < queries_.size(); ++i) {
        const Ranks expected = brute_force(embeddings, queries_[i], candidates);
        ASSERT_EQ(ranks[i].all.better, expected.all.better) << i;
        ASSERT_EQ(ranks[i].all.equal, expected.all.equal) << i;
        ASSERT_EQ(ranks[i].in_range.better, expected.in_range.better) << i;
        ASSERT_EQ(ranks[i].in_range.equal, expected.in_range.equal) << i;
        ASSERT_EQ(ranks[i].range_candidates, expected.range_candidates) << i;
        ASSERT_EQ(ranks[i].answer_in_range, expected.answer_in_range) << i;
      }
    }
  }

  std::vector<Triple> facts_;
  std::vector<RankQuery> queries_;
};

TEST_P(RanksTest, AgreeWithBruteForceInDouble) {
  expect_exact(random_embeddings(GetParam(), kEntities, kRelations, 10, 1.0F));
}

// Whole groups of entities have the same row: ties of many sizes, which must be ties whatever tile they are
// in.
TEST_P(RanksTest, Ties) {
  kge::Embeddings embeddings = random_embeddings(GetParam(), kEntities, kRelations, 7, 0.3F);
  const std::size_t width = embeddings.entity_width();
  for (std::size_t e = 0; e < kEntities; ++e) {
    std::copy_n(embeddings.entities.begin() + static_cast<std::ptrdiff_t>(e % 37 * width), width,
                embeddings.entities.begin() + static_cast<std::ptrdiff_t>(e * width));
  }
  expect_exact(embeddings);
}

// Rows far from the origin and near each other: most digits of a float score cancel.
TEST_P(RanksTest, Cancellation) {
  kge::Embeddings embeddings = random_embeddings(GetParam(), kEntities, kRelations, 8, 1e-3F);
  for (float& x : embeddings.entities) x += 50.0F;
  expect_exact(embeddings);
}

TEST_P(RanksTest, AllRowsZero) {
  kge::Embeddings embeddings = random_embeddings(GetParam(), 200, kRelations, 4, 0.0F);
  const std::vector<RankQuery> queries = {{EntityId{1}, RelationId{0}, EntityId{7}, Side::kTail}};
  const auto ranks = rank_answers(embeddings, queries, {}, Context{});
  EXPECT_EQ(ranks[0].all.better, 0U);
  EXPECT_EQ(ranks[0].all.equal, 199U);
  EXPECT_EQ(ranks[0].all.realistic(), 100.5);
}

TEST_P(RanksTest, EveryInstructionSetGivesTheSame) {
  const auto embeddings = random_embeddings(GetParam(), kEntities, kRelations, 9, 0.5F);
  for (const std::string& target : simd::available_kernel_targets()) {
    simd::force_kernel_target(target);
    expect_exact(embeddings);
  }
  simd::force_kernel_target("");
}

INSTANTIATE_TEST_SUITE_P(
    Models, RanksTest,
    testing::Values(Case{"transe", Similarity::kEuclidean}, Case{"transe", Similarity::kManhattan},
                    Case{"rotate", Similarity::kSquaredEuclidean}, Case{"rotate", Similarity::kModuli},
                    Case{"complex", Similarity::kDot}, Case{"distmult", Similarity::kDot}),
    [](const auto& test) {
      return std::string(test.param.model) + std::to_string(static_cast<int>(test.param.similarity));
    });

}  // namespace
}  // namespace greenkgc::rank
