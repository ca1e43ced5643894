#include "train/negatives/draw_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "graph/relation_ranges.h"
#include "greenkgc/error.h"

namespace greenkgc::decide {
namespace {

Triple fact(std::uint32_t h, std::uint32_t r, std::uint32_t t) {
  return {EntityId{h}, RelationId{r}, EntityId{t}};
}

class DrawSamples : public testing::Test {
 protected:
  static constexpr std::uint32_t kEntities = 100;

  // Relation 0 goes from 0..19 to 30..49, relation 1 from 50..99 to 0..9.
  DrawSamples() {
    for (std::uint32_t i = 0; i < 60; ++i) {
      facts_.push_back(fact(i % 20, 0, 30 + (i * 7) % 20));
      facts_.push_back(fact(50 + i % 50, 1, (i * 3) % 10));
    }
    std::sort(facts_.begin(), facts_.end());
    facts_.erase(std::unique(facts_.begin(), facts_.end()), facts_.end());
  }

  trees::Samples draw(const std::string& kind, std::size_t per_side, const Context& context = {},
                      const NegativeOptions& options = {},
                      const kge::Embeddings* embeddings = nullptr) const {
    const graph::KnownFacts known(std::array<std::span<const Triple>, 1>{facts_}, kEntities, context);
    const graph::RelationRanges ranges(facts_, 3);
    const NegativeSource source{facts_, known, ranges, kEntities, embeddings, context.seed};
    const auto sampler = negative_sampler(kind, source, options);
    std::vector<std::uint64_t> positions(facts_.size());
    std::iota(positions.begin(), positions.end(), std::uint64_t{0});
    return draw_samples(source, *sampler, positions, per_side, context);
  }

  // Each block: the fact, then false tails, then false heads; nothing known among those.
  void expect_sound(const trees::Samples& samples) const {
    const std::set<Triple> known(facts_.begin(), facts_.end());
    ASSERT_EQ(samples.facts.size(), facts_.size());
    std::size_t row = 0;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const trees::FactSamples& block = samples.facts[i];
      ASSERT_EQ(block.first, row);
      ASSERT_EQ(samples.triple(row), facts_[i]);
      ASSERT_EQ(samples.labels[row++], 1);
      for (std::uint32_t k = 0; k < block.false_tails + block.false_heads; ++k, ++row) {
        const Triple triple = samples.triple(row);
        ASSERT_EQ(samples.labels[row], 0);
        ASSERT_FALSE(known.contains(triple));
        ASSERT_EQ(triple.relation, facts_[i].relation);
        ASSERT_EQ(triple.head == facts_[i].head, k < block.false_tails);
        ASSERT_EQ(triple.tail == facts_[i].tail, k >= block.false_tails);
      }
    }
    EXPECT_EQ(row, samples.size());
    for (const auto& ids : samples.ids) EXPECT_EQ(ids.size(), samples.size());
  }

  std::size_t inside_range(const trees::Samples& samples) const {
    const graph::RelationRanges ranges(facts_, 3);
    std::size_t count = 0;
    for (std::size_t row = 0; row < samples.size(); ++row) {
      const Triple t = samples.triple(row);
      const auto heads = ranges.heads(t.relation);
      const auto tails = ranges.tails(t.relation);
      if (samples.labels[row] == 0 && std::binary_search(heads.begin(), heads.end(), t.head) &&
          std::binary_search(tails.begin(), tails.end(), t.tail))
        ++count;
    }
    return count;
  }

  std::vector<Triple> facts_;
};

TEST_F(DrawSamples, EveryKindGivesFalseFactsOfBothSides) {
  kge::Embeddings embeddings;
  embeddings.kge = &kge::kge_model("distmult");
  embeddings.dims = 1;
  embeddings.entity_count = kEntities;
  embeddings.relation_count = 3;
  embeddings.entities.assign(kEntities, 1);
  embeddings.relations.assign(3, 1);
  for (const std::string kind :
       {"random", "ontology", "embedding", "random:1,ontology:3", "random,embedding:0.1,ontology"}) {
    SCOPED_TRACE(kind);
    const trees::Samples samples = draw(kind, 7, {}, {}, &embeddings);
    expect_sound(samples);
    EXPECT_EQ(samples.size(), facts_.size() * 15);
    const trees::Samples threads = draw(kind, 7, Context{.threads = 3}, {}, &embeddings);
    EXPECT_EQ(threads.ids, samples.ids);
    EXPECT_NE(draw(kind, 7, Context{.seed = 1}, {}, &embeddings).ids, samples.ids);
  }
}

TEST_F(DrawSamples, ThreadsDoNotMatterForManyFacts) {
  facts_.clear();
  const CounterRandom random(3, 3);
  for (std::uint64_t i = 0; i < 5000; ++i)
    facts_.push_back(fact(static_cast<std::uint32_t>(random.below(kEntities, 3 * i)),
                          static_cast<std::uint32_t>(random.below(3, 3 * i + 1)),
                          static_cast<std::uint32_t>(random.below(kEntities, 3 * i + 2))));
  const NegativeOptions options{.leave_out = 0.1};
  EXPECT_EQ(draw("ontology,random", 4, Context{.threads = 1}, options).ids,
            draw("ontology,random", 4, Context{.threads = 4}, options).ids);
}

TEST_F(DrawSamples, OntologyStaysInTheRange) {
  const trees::Samples samples = draw("ontology", 10);
  EXPECT_EQ(inside_range(samples), facts_.size() * 20);
  EXPECT_LT(inside_range(draw("random", 10)), facts_.size() * 10);
}

TEST_F(DrawSamples, MixturesHaveTheirShares) {
  const auto random = static_cast<double>(inside_range(draw("random", 40)));
  const auto ontology = static_cast<double>(inside_range(draw("ontology", 40)));
  const auto mixed = static_cast<double>(inside_range(draw("random:3,ontology:1", 40)));
  EXPECT_NEAR(mixed, 0.75 * random + 0.25 * ontology, 0.05 * ontology);
}

// Relation 2 has one fact: no other tail, no other head.
TEST_F(DrawSamples, AnExhaustedRangeFallsBackToRandomAndSaysSoOnce) {
  facts_.push_back(fact(5, 2, 6));
  std::vector<std::string> said;
  Context context;
  context.log = [&](LogLevel, std::string_view message) { said.emplace_back(message); };
  const trees::Samples samples = draw("ontology", 8, context);
  expect_sound(samples);
  EXPECT_EQ(samples.size(), facts_.size() * 17);
  EXPECT_THAT(said, testing::ElementsAre(testing::HasSubstr("1 relation has too few negatives")));
}

// (0, 2) has every entity but one as a tail.
TEST_F(DrawSamples, TheOneUnknownEntityIsFound) {
  facts_.clear();
  for (std::uint32_t t = 0; t < kEntities; ++t) {
    if (t != 77) facts_.push_back(fact(0, 2, t));
  }
  facts_.push_back(fact(1, 2, 77));
  const trees::Samples samples = draw("ontology", 3);
  expect_sound(samples);
  for (const trees::FactSamples& block : samples.facts) {
    if (samples.triple(block.first).head == EntityId{0}) {
      ASSERT_EQ(block.false_tails, 3U);
      EXPECT_EQ(samples.ids[2][block.first + 1], 77U);
    }
  }
}

TEST_F(DrawSamples, AQueryThatEveryEntityAnswersHasNoFalseOnes) {
  facts_.clear();
  for (std::uint32_t t = 0; t < kEntities; ++t) facts_.push_back(fact(0, 2, t));
  for (const std::string kind : {"random", "ontology"}) {
    const trees::Samples samples = draw(kind, 3);
    expect_sound(samples);
    for (const trees::FactSamples& block : samples.facts) {
      EXPECT_EQ(block.false_tails, 0U);
      EXPECT_EQ(block.false_heads, 3U);
    }
  }
}

// Distances on a line: the false answers are those next to the query.
TEST_F(DrawSamples, EmbeddingNegativesScoreHigh) {
  kge::Embeddings line;
  line.kge = &kge::kge_model("transe");
  line.similarity = kge::Similarity::kEuclidean;
  line.dims = 1;
  line.entity_count = kEntities;
  line.relation_count = 3;
  for (std::uint32_t e = 0; e < kEntities; ++e) line.entities.push_back(static_cast<float>(e));
  line.relations = {30, -50, 0};
  const auto mean_distance = [&](const trees::Samples& samples) {
    double sum = 0;
    double count = 0;
    for (std::size_t row = 0; row < samples.size(); ++row) {
      if (samples.labels[row] != 0) continue;
      const double h = samples.ids[0][row];
      const double t = samples.ids[2][row];
      sum += std::abs(h + static_cast<double>(line.relations[samples.ids[1][row]]) - t);
      count += 1;
    }
    return sum / count;
  };
  const trees::Samples hard = draw("embedding", 5, {}, {.pool_factor = 8}, &line);
  expect_sound(hard);
  EXPECT_LT(mean_distance(hard), 0.5 * mean_distance(draw("random", 5)));
  EXPECT_THROW(draw("embedding", 5), Error);
}

// By hand. Relation 2: heads 0 and 1 have the tails 10 and 11; head 2 has 10 and 12; tails 13..29 stand
// alone. Of the twenty tails, the counts beside 10 are 3 (itself), 2 (11), 1 (12) and seventeen zeros; their
// quantile at 0.9 is 0.9 * 19 = 17.1, between the ranks of 1 and 2: 1.1. So 11 (and 10) are left out, and 12
// stays.
TEST_F(DrawSamples, StrongestCompanyIsLeftOut) {
  facts_ = {fact(0, 2, 10), fact(0, 2, 11), fact(1, 2, 10), fact(1, 2, 11),
            fact(2, 2, 10), fact(2, 2, 12), fact(3, 2, 10)};
  for (std::uint32_t t = 13; t < 30; ++t) facts_.push_back(fact(40 + t, 2, t));
  const auto tails_of_last = [&](double leave_out) {
    const trees::Samples samples = draw("ontology", 400, {}, {.leave_out = leave_out});
    expect_sound(samples);
    std::set<std::uint32_t> tails;
    const trees::FactSamples& block = samples.facts[6];  // (3, 2, 10)
    for (std::uint32_t k = 1; k <= block.false_tails; ++k) tails.insert(samples.ids[2][block.first + k]);
    return tails;
  };
  std::set<std::uint32_t> all;
  for (std::uint32_t t = 11; t < 30; ++t) all.insert(t);
  EXPECT_EQ(tails_of_last(0), all);
  all.erase(11);
  EXPECT_EQ(tails_of_last(0.1), all);
}

TEST_F(DrawSamples, WrongDescriptionsAreRefused) {
  for (const std::string kind : {"", "rnd", "random:", "random:0", "random:-1", "random:nan", "random:1x",
                                 "random,", ",ontology", "ontology:1:2"})
    EXPECT_THROW(draw(kind, 1), Error) << kind;
  try {
    draw("ontolgy", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean ontology?"));
  }
}

TEST_F(DrawSamples, NoFactsGiveNoSamples) {
  facts_.clear();
  EXPECT_EQ(draw("random,ontology", 5).size(), 0U);
}

}  // namespace
}  // namespace greenkgc::decide
