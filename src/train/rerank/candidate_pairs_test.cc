#include "train/rerank/candidate_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "support/random_decisions.h"
#include "support/random_graph.h"
#include "train/rerank/label_lists.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kEntities = 80;

std::vector<float> row_of(const features::CandidatePairs& pairs, std::size_t row) {
  const auto begin = pairs.evidence.begin() + static_cast<std::ptrdiff_t>(row * pairs.features);
  return {begin, begin + static_cast<std::ptrdiff_t>(pairs.features)};
}

// A graph, label facts that it does not have, and lists of so many candidates.
class PairsTest {
 public:
  PairsTest(std::uint32_t relations, std::size_t facts, std::size_t label_facts, std::size_t list_size)
      : known_(kEntities, relations, facts, 1),
        graph_(known_.indexed()),
        decisions_(rank::RandomDecisions({.entities = kEntities, .relations = relations, .trees = 3}).make()),
        options_{.size = list_size, .first_stage = list_size / 2},
        lists_(decisions_, {.graph = &graph_, .rules = &rules_}, options_) {
    for (const Triple& fact : evidence::RandomGraph(kEntities, relations, label_facts, 2).facts) {
      if (!known_.facts.contains(fact)) label_facts_.push_back(fact);
    }
    questions_ = label_questions(label_facts_, lists_, 0, {});
  }

  SampledPairs sample(const Context& context = {}) const {
    const std::array<std::span<const Triple>, 1> parts = {label_facts_};
    const graph::KnownFacts answers(parts, kEntities, {});
    return sample_pairs(lists_, {questions_, answers}, features(), context);
  }
  std::size_t features() const { return evidence::EvidenceReader::feature_names(options_).size(); }
  bool is_label(const Triple& fact) const {
    return std::find(label_facts_.begin(), label_facts_.end(), fact) != label_facts_.end();
  }
  bool is_known(const Triple& fact) const { return known_.facts.contains(fact); }

  // What lists say of the facts that their candidates make, from either side.
  std::map<Triple, std::set<std::vector<float>>> evidence() const {
    std::map<Triple, std::set<std::vector<float>>> rows;
    lists_.read(questions_,
                [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
                  const graph::Query& query = questions_[i];
                  for (std::size_t k = 0; k < list.entities.size(); ++k) {
                    const Triple fact = query.side == graph::Side::kTail
                                            ? Triple{query.known, query.relation, list.entities[k]}
                                            : Triple{list.entities[k], query.relation, query.known};
                    const auto begin = list.rows.begin() + static_cast<std::ptrdiff_t>(k * features());
                    rows[fact].insert({begin, begin + static_cast<std::ptrdiff_t>(features())});
                  }
                },
                {.threads = 1});
    return rows;
  }

 private:
  const evidence::RandomGraph known_;
  const evidence::EvidenceGraph graph_;
  const evidence::RuleSet rules_;
  const model::Decisions decisions_;
  const evidence::ListOptions options_;
  const rank::EvidenceLists lists_;
  std::vector<Triple> label_facts_;
  std::vector<graph::Query> questions_;
};

TEST(CandidatePairs, AnAnswerBesideAFalseCandidateOfTheSameQuestion) {
  const PairsTest test(5, 400, 150, 30);
  const SampledPairs sampled = test.sample();
  const features::CandidatePairs& pairs = sampled.pairs;
  const auto evidence = test.evidence();
  ASSERT_GT(pairs.size(), 1000U);
  ASSERT_EQ(pairs.evidence.size(), pairs.facts.size() * test.features());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Triple& answer = pairs.facts[2 * i];
    const Triple& other = pairs.facts[2 * i + 1];
    ASSERT_TRUE(test.is_label(answer));
    ASSERT_FALSE(test.is_label(other) || test.is_known(other));
    ASSERT_EQ(answer.relation, other.relation);
    ASSERT_TRUE(answer.head == other.head || answer.tail == other.tail);
    for (const std::size_t row : {2 * i, 2 * i + 1})
      ASSERT_TRUE(evidence.at(pairs.facts[row]).contains(row_of(pairs, row))) << row;
  }
}

TEST(CandidatePairs, RelationsStandTogetherAndAreCounted) {
  const SampledPairs sampled = PairsTest(5, 400, 150, 30).sample();
  ASSERT_EQ(sampled.relations.size(), 5U);
  std::size_t next = 0;
  for (std::uint32_t r = 0; r < 5; ++r) {
    const SampledPairs::Relation& part = sampled.relations[r];
    EXPECT_EQ(part.relation, RelationId{r});
    EXPECT_EQ(part.range.begin, next);
    next = part.range.end;
    std::set<Triple> answers;
    for (std::size_t i = part.range.begin; i < part.range.end; ++i) {
      EXPECT_EQ(sampled.pairs.facts[2 * i].relation, part.relation);
      answers.insert(sampled.pairs.facts[2 * i]);
    }
    EXPECT_LE(part.counts.questions, 50U);
    EXPECT_GE(part.counts.answers, answers.size());  // one may be the answer of two questions
    EXPECT_LE(part.counts.answers, 2 * answers.size());
    EXPECT_EQ(part.counts.false_candidates, 16 * part.counts.questions);
    EXPECT_EQ(part.range.end - part.range.begin, 16 * part.counts.questions);
  }
  EXPECT_EQ(next, sampled.pairs.size());
}

TEST(CandidatePairs, WorkIsBounded) {
  const SampledPairs sampled = PairsTest(100, 500, 4000, kEntities).sample();
  std::uint64_t questions = 0;
  for (const SampledPairs::Relation& part : sampled.relations) {
    EXPECT_LE(part.counts.questions, 50U);
    questions += part.counts.questions;
  }
  EXPECT_GT(questions, 3900U);  // some facts of the graph are answers that no list has
  EXPECT_LE(questions, 4000U);
  EXPECT_EQ(sampled.relations.size(), 80U);
  EXPECT_LE(sampled.pairs.size(), 16 * questions);
}

TEST(CandidatePairs, TheSameForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  const PairsTest test(3, 300, 300, 20);
  const SampledPairs one = test.sample({.threads = 1});
  const SampledPairs three = test.sample({.threads = 3});
  EXPECT_TRUE(one.pairs.facts == three.pairs.facts);
  EXPECT_TRUE(one.pairs.evidence == three.pairs.evidence);
  EXPECT_FALSE(one.pairs.facts == test.sample({.seed = 7}).pairs.facts);
}

}  // namespace
}  // namespace greenkgc
