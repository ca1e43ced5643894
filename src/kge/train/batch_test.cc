#include "kge/train/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace greenkgc::kge {
namespace {

constexpr std::uint32_t kEntities = 3000;

// Entity 0 has 2,000 tails by relation 0, and one by relation 1; the rest is a chain.
std::vector<Triple> hub_facts() {
  std::vector<Triple> facts = {{EntityId{0}, RelationId{1}, EntityId{7}}};
  for (std::uint32_t e = 1; e <= 2000; ++e) facts.push_back({EntityId{0}, RelationId{0}, EntityId{e}});
  for (std::uint32_t e = 1; e < 300; ++e) facts.push_back({EntityId{e}, RelationId{1}, EntityId{e + 1}});
  return facts;
}

TEST(BatchMaker, MasksWhatIsKnownAmongTheNegatives) {
  const std::vector<Triple> facts = hub_facts();
  const graph::KnownFacts known(std::array<std::span<const Triple>, 1>{facts}, kEntities, {});
  for (const std::int64_t negatives : {10, 100, 1000, 0}) {  // 0: every entity
    EmbedOptions options;
    options.batch = 256;
    options.negatives = negatives;
    const BatchMaker maker(facts, known, kEntities, options, 1);
    Batch batch;
    std::size_t of_hub = 0;
    for (std::uint64_t step = 0; step < 3; ++step) {
      maker.make(0, step, batch);
      for (const Query& query : batch.queries) {
        std::vector<std::uint32_t> places;
        maker.masked_places(batch, query, places);
        std::sort(places.begin(), places.end());
        std::vector<std::uint32_t> expected;
        for (std::uint32_t place = 0; place < batch.negatives.size(); ++place) {
          const EntityId other = batch.negatives[place];
          const Triple fact = query.side == kge::Side::kTail ? Triple{query.known, query.relation, other}
                                                             : Triple{other, query.relation, query.known};
          if (known.contains(fact)) expected.push_back(place);
        }
        ASSERT_EQ(places, expected);
        of_hub += query.known == EntityId{0} && query.side == kge::Side::kTail ? 1 : 0;
      }
    }
    EXPECT_GT(of_hub, 100U);
  }
}

TEST(BatchMaker, WithoutAMaskOnlyTheAnswerIsNoNegative) {
  const std::vector<Triple> facts = hub_facts();
  const graph::KnownFacts known(std::array<std::span<const Triple>, 1>{facts}, kEntities, {});
  EmbedOptions options;
  options.negatives = 0;
  options.mask_known = false;
  const BatchMaker maker(facts, known, kEntities, options, 1);
  Batch batch;
  maker.make(0, 0, batch);
  for (const Query& query : batch.queries) {
    std::vector<std::uint32_t> places;
    maker.masked_places(batch, query, places);
    ASSERT_EQ(places, std::vector<std::uint32_t>{index(query.answer)});
  }
}

// Weights of two questions are to each other as the powers of their numbers of answers; the mean is 1.
TEST(BatchMaker, WeighsQuestionsByTheNumberOfTheirAnswers) {
  const std::vector<Triple> facts = hub_facts();
  const graph::KnownFacts known(std::array<std::span<const Triple>, 1>{facts}, kEntities, {});
  EmbedOptions options;
  options.subsampling = false;
  options.question_power = 0.5;
  options.batch = 100'000;
  const BatchMaker maker(facts, known, kEntities, options, 1);
  Batch batch;
  maker.make(0, 0, batch);
  ASSERT_EQ(batch.queries.size(), 2 * facts.size());
  double total = 0;
  float of_hub = 0;
  float of_one = 0;  // with one answer
  for (const Query& query : batch.queries) {
    total += query.weight;
    const bool hub =
        query.known == EntityId{0} && query.relation == RelationId{0} && query.side == kge::Side::kTail;
    float& own = hub ? of_hub : of_one;
    // By relation 1 entity 7 has two heads: 0 and 6.
    if (query.known == EntityId{7} && query.side == kge::Side::kHead && query.relation == RelationId{1})
      continue;
    if (own == 0) own = query.weight;
    ASSERT_EQ(query.weight, own);
  }
  EXPECT_NEAR(of_one / of_hub, std::sqrt(2000.0F), 1e-3);
  EXPECT_NEAR(total / static_cast<double>(batch.queries.size()), 1, 1e-4);
}

}  // namespace
}  // namespace greenkgc::kge
