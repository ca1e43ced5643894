#include "model/base_margins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "features/features.h"
#include "kge/chosen_dims.h"
#include "rank/rankers/fact_margins.h"
#include "rank/rankers/first_stage_ranker.h"
#include "simd/targets.h"
#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kEntities = 700;  // more than are scored at once
constexpr std::uint32_t kRelations = 5;

struct Case {
  const char* model;
  kge::Similarity similarity;
  bool reciprocal = false;
  std::size_t range_dims = 0;
};

class BaseMarginsTest : public testing::TestWithParam<Case> {
 protected:
  BaseMarginsTest() : decisions_(RandomDecisions({.entities = kEntities, .relations = kRelations}).make()) {
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    kge::Embeddings& embeddings = decisions_.embeddings;
    embeddings.kge = &kge::kge_model(GetParam().model);
    embeddings.similarity = GetParam().similarity;
    embeddings.reciprocal = GetParam().reciprocal;
    embeddings.dims = 6;
    embeddings.range_dims = kge::last_dims(6, GetParam().range_dims);
    embeddings.entity_count = kEntities;
    embeddings.relation_count = kRelations;
    std::vector<std::vector<float>> columns(embeddings.entity_width(), std::vector<float>(kEntities));
    for (auto& column : columns) {
      for (float& x : column) x = normal(random);
    }
    decisions_.tables.entities.fill(columns, "entity", features::kMostBins, Context{});
    embeddings.entities = model::restored_rows(decisions_.tables.entities);
    embeddings.relations.resize(embeddings.relation_rows() * embeddings.relation_width());
    for (float& x : embeddings.relations) x = normal(random);
    for (int i = 0; i < 3000; ++i)
      facts_.push_back({EntityId{static_cast<std::uint32_t>(random() % kEntities)},
                        RelationId{static_cast<std::uint32_t>(random() % kRelations)},
                        EntityId{static_cast<std::uint32_t>(random() % 30)}});
    decisions_.counts = graph::RelationRanges(facts_, kRelations);
    decisions_.groups[0].kept = {4, 0, 3};
    decisions_.groups[1].kept = {1, 2};
    for (std::uint32_t r = 0; r < kRelations; ++r) {
      const float own = 0.1F * static_cast<float>(r);
      if (decisions_.group_of[r] == 0) {
        decisions_.base.push_back(model::BaseMarginsBySide{.head = {0.5, 0.7F + own, 0.3F, -0.2F - own, -1},
                                                           .tail = {0.25F + own, 0.9F, -0.1F, 0.6F, 0.5}});
      } else {
        decisions_.base.push_back(model::BaseMarginsBySide{.head = {-0.5, 0, 0.1F, 0.4F + own, 0},
                                                           .tail = {0.125, -0.3F, 0, 0.2F, -2 - own}});
      }
    }
  }

  // In double precision, facts counted one by one.
  double expected(const Triple& fact, Side side) const {
    const auto& group = decisions_.groups[decisions_.group_of[index(fact.relation)]];
    const auto embeddings = kge::with_dims(decisions_.embeddings, group.kept);
    const bool tail = side == Side::kTail;
    std::vector<double> q(embeddings.entity_width());
    embeddings.query(tail ? fact.head : fact.tail, fact.relation, side, std::span(q));
    const auto c = embeddings.entity(tail ? fact.tail : fact.head);
    double dot = 0;
    double squared = 0;
    double manhattan = 0;
    double moduli = 0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      dot += q[k] * static_cast<double>(c[k]);
      squared += std::pow(q[k] - static_cast<double>(c[k]), 2);
      manhattan += std::abs(q[k] - static_cast<double>(c[k]));
    }
    for (std::size_t k = 0; k < embeddings.dims && q.size() == 2 * embeddings.dims; ++k)
      moduli += std::hypot(q[k] - static_cast<double>(c[k]),
                           q[embeddings.dims + k] - static_cast<double>(c[embeddings.dims + k]));
    const auto similarity = embeddings.similarity;
    const double score = similarity == kge::Similarity::kDot         ? dot
                         : similarity == kge::Similarity::kEuclidean ? -std::sqrt(squared)
                         : similarity == kge::Similarity::kManhattan ? -manhattan
                         : similarity == kge::Similarity::kModuli    ? -moduli
                                                                     : -squared;
    double with_head = 0;
    double with_tail = 0;
    for (const Triple& other : facts_) {
      if (other.relation != fact.relation) continue;
      with_head += other.head == fact.head ? 1 : 0;
      with_tail += other.tail == fact.tail ? 1 : 0;
    }
    const model::BaseMargin& base = decisions_.base[index(fact.relation)]->of(side);
    double margin = base.constant + base.score * score + base.head_count * std::log(1 + with_head) +
                    base.tail_count * std::log(1 + with_tail) + (fact.head == fact.tail ? base.self : 0);
    for (const trees::Tree& tree : group.trees.trees)
      margin += static_cast<double>(tree.nodes[leaf_of(tree, decisions_.tables, fact)].value);
    return margin;
  }

  // The answers in the order of ids.
  std::vector<float> margins(const Query& query) const {
    std::vector<float> margins(kEntities);
    const auto answers = FirstStageRanker(decisions_).best({&query, 1}, {.k = kEntities}, Context{});
    for (const ScoredEntity& answer : answers[0]) margins[index(answer.entity)] = answer.score;
    return margins;
  }

  model::Decisions decisions_;
  std::vector<Triple> facts_;
};

TEST_P(BaseMarginsTest, AreNearThoseInDoublePrecision) {
  for (std::uint32_t r = 0; r < kRelations; ++r) {
    for (const Side side : {Side::kHead, Side::kTail}) {
      const Query query{EntityId{7 + r}, RelationId{r}, side};
      const auto own = margins(query);
      for (std::uint32_t c = 0; c < kEntities; ++c) {
        const Triple fact = side == Side::kTail ? Triple{query.known, query.relation, EntityId{c}}
                                                : Triple{EntityId{c}, query.relation, query.known};
        ASSERT_NEAR(own[c], expected(fact, side), 1e-4) << c;
      }
    }
  }
}

TEST_P(BaseMarginsTest, AreTheSameBitsForOneFactABatchAndEveryInstructionSet) {
  std::vector<Query> queries;
  std::vector<RankQuery> facts;
  for (std::uint32_t i = 0; i < 50; ++i) {
    queries.push_back({EntityId{i}, RelationId{i % kRelations}, i % 2 == 0 ? Side::kTail : Side::kHead});
    for (std::uint32_t c = 0; c < kEntities; ++c)
      facts.push_back({queries[i].known, queries[i].relation, EntityId{c}, queries[i].side});
  }
  std::vector<std::vector<ScoredEntity>> first;
  for (const std::string& target : simd::available_kernel_targets()) {
    simd::force_kernel_target(target);
    const auto batch = FirstStageRanker(decisions_).best(queries, {.k = kEntities}, Context{.threads = 2});
    const auto single = margins_of(decisions_, facts, Context{});
    if (first.empty()) first = batch;
    EXPECT_TRUE(batch == first) << target;
    EXPECT_TRUE(FirstStageRanker(decisions_).best({&queries[3], 1}, {.k = kEntities}, Context{})[0] ==
                first[3])
        << target;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const ScoredEntity& answer : batch[i])
        ASSERT_EQ(answer.score, single[i * kEntities + index(answer.entity)]) << target;
    }
  }
  simd::force_kernel_target("");
}

TEST(BaseMargins, WithoutWeightsNeedNeitherScoresNorCounts) {
  auto decisions = RandomDecisions({.trees = 0}).make();
  decisions.base.assign(5, model::BaseMarginsBySide{.head = {.constant = 1}, .tail = {.constant = 0.25}});
  const std::vector<Triple> facts = {{EntityId{1}, RelationId{0}, EntityId{2}}};
  EXPECT_EQ(margins_of(decisions, facts, Context{}), std::vector<float>{0.25F});
}

INSTANTIATE_TEST_SUITE_P(Models, BaseMarginsTest,
                         testing::Values(Case{"rotate", kge::Similarity::kEuclidean},
                                         Case{"rotate", kge::Similarity::kSquaredEuclidean},
                                         Case{"rotate", kge::Similarity::kModuli},
                                         Case{"transe", kge::Similarity::kManhattan},
                                         Case{"transe", kge::Similarity::kEuclidean, false, 3},
                                         Case{"complex", kge::Similarity::kDot, true},
                                         Case{"complex", kge::Similarity::kDot, true, 3}),
                         [](const auto& test) {
                           return std::string(test.param.model) +
                                  std::to_string(static_cast<int>(test.param.similarity)) +
                                  (test.param.range_dims > 0 ? "Range" : "");
                         });

}  // namespace
}  // namespace greenkgc::rank
