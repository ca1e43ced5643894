#include "train/rerank/feature_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const std::vector<std::string> kEvidence = {"first_score", "type_best", "attribute_sum_compared"};

// Answers are entities 1 and 2, false candidates 3 and 4. The evidence: a score that is half right, a count
// that is always right, and one that says nothing. Of two dimensions the second is always right.
struct Fixture {
  Fixture() {
    sampled.pairs.features = 3;
    add_relation(RelationId{0}, 40, 20);
    add_relation(RelationId{1}, 20, 19);
    const std::vector<std::vector<float>> entities = {{0, 1, -1, 1, -1}, {0, 1, 1, -1, -1}};
    const std::vector<std::vector<float>> relations = {{0, 0}, {0, 0}};
    first.tables = {features::BinnedTable(5), features::BinnedTable(2)};
    first.tables.entities.fill(entities, "entity", 256, {});
    first.tables.relations.fill(relations, "relation", 256, {});
    first.embeddings.dims = 2;
  }

  void add_relation(RelationId relation, std::size_t pairs, std::uint64_t answers) {
    const std::size_t begin = sampled.pairs.size();
    for (std::uint32_t i = 0; i < pairs; ++i) {
      sampled.pairs.facts.push_back({EntityId{0}, relation, EntityId{1 + i % 2}});
      sampled.pairs.facts.push_back({EntityId{0}, relation, EntityId{3 + i % 2}});
      const float score = i % 2 == 0 ? 1.0F : 0.0F;
      sampled.pairs.evidence.insert(sampled.pairs.evidence.end(), {score, 1, 5, 0, 0, 5});
    }
    sampled.relations.push_back({relation, {begin, begin + pairs}, {10, answers, pairs}});
  }

  FeatureRanking rank() const { return rank_features(sampled, kEvidence, first, {}); }

  SampledPairs sampled;
  model::Decisions first;
};

TEST(FeatureRanking, CostsOfAllAndOfRelationsWithEnoughRows) {
  const FeatureRanking ranking = Fixture().rank();
  EXPECT_EQ(ranking.all.counts.questions, 20U);
  EXPECT_EQ(ranking.all.counts.answers, 39U);
  EXPECT_EQ(ranking.all.counts.false_candidates, 60U);
  // A threshold has all false ones and half of the answers below: 3/4 H(1/3).
  const double half = 0.75 * (-std::log2(1.0 / 3) / 3 - 2 * std::log2(2.0 / 3) / 3);
  EXPECT_THAT(ranking.all.costs, ElementsAre(testing::DoubleNear(half, 1e-12), 0, 1, 1, 0));
  ASSERT_EQ(ranking.relations.size(), 1U);
  EXPECT_EQ(ranking.relations[0].relation, RelationId{0});
  EXPECT_EQ(ranking.relations[0].counts.answers, 20U);
  EXPECT_EQ(ranking.relations[0].costs.size(), 5U);
}

TEST(FeatureRanking, KindsOfFeatures) {
  std::vector<std::string> kinds;
  for (const auto& feature : Fixture().rank().features) kinds.push_back(feature.name + ": " + feature.kind);
  EXPECT_THAT(kinds,
              ElementsAre("first_score: first_stage", "type_best: graph", "attribute_sum_compared: graph",
                          "dimension 0: embedding", "dimension 1: embedding"));
}

TEST(FeatureRanking, WithoutPairsThereIsNothing) {
  const FeatureRanking ranking = rank_features({}, kEvidence, Fixture().first, {});
  EXPECT_TRUE(ranking.features.empty());
  const TemporaryFolder folder;
  log_ranking(ranking, {}, EventLog(folder.path() / "log.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "log.jsonl"));
}

TEST(FeatureRanking, TheLogHasTheBestFirstAndAnyLabel) {
  graph::Vocabulary relations;
  relations.intern("caf\xE9 <b>");
  relations.intern("other");
  const TemporaryFolder folder;
  log_ranking(Fixture().rank(), relations, EventLog(folder.path() / "log.jsonl"));
  std::istringstream lines(folder.read("log.jsonl"));
  std::string text;
  std::getline(lines, text);
  const json all = json::parse(text);
  EXPECT_EQ(all["event"], "rerank.discriminant");
  EXPECT_EQ(all["answers"], 39);
  EXPECT_EQ(all["relations"], 2);
  EXPECT_EQ(all["best"].size(), 5U);
  EXPECT_EQ(all["best"][0], (json{{"name", "type_best"}, {"kind", "graph"}, {"cost", 0.0}}));
  EXPECT_EQ(all["best"][1]["name"], "dimension 1");
  EXPECT_EQ(all["best"][2]["kind"], "first_stage");
  EXPECT_EQ(all["costs"]["graph"], (json{0.0, 1.0}));
  EXPECT_EQ(all["costs"]["embedding"], (json{0.0, 1.0}));
  std::getline(lines, text);
  const json relation = json::parse(text);
  EXPECT_EQ(relation["event"], "rerank.discriminant.relation");
  EXPECT_EQ(relation["relation"], "caf\xEF\xBF\xBD <b>");
  EXPECT_EQ(relation["best"]["graph"][0]["name"], "type_best");
  EXPECT_EQ(relation["best"]["embedding"][1]["cost"], 1.0);
  EXPECT_FALSE(std::getline(lines, text));
}

}  // namespace
}  // namespace greenkgc
