#include "graph/world.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "graph/io/dataset_reader.h"

namespace greenkgc::graph {
namespace {

class World : public testing::Test {
 protected:
  World() : dataset_(read_dataset("world", {.valid_share = 0, .test_share = 0}, Context{})) {
    for (const Triple& fact : (*dataset_)[Split::kTrain].triples) {
      facts_[std::string(dataset_->relations.label(index(fact.relation)))].emplace(
          dataset_->entities.label(index(fact.head)), dataset_->entities.label(index(fact.tail)));
    }
  }
  using Pairs = std::set<std::pair<std::string, std::string>>;
  static Pairs reversed(const Pairs& pairs) {
    Pairs result;
    for (const auto& [head, tail] : pairs) result.emplace(tail, head);
    return result;
  }
  static std::map<std::string, int> per_head(const Pairs& pairs) {
    std::map<std::string, int> counts;
    for (const auto& pair : pairs) ++counts[pair.first];
    return counts;
  }

  std::unique_ptr<Dataset> dataset_;
  std::map<std::string, Pairs> facts_;
};

TEST_F(World, IsARealGraph) {
  std::size_t distinct = 0;
  for (const auto& [relation, pairs] : facts_) distinct += pairs.size();
  EXPECT_EQ(distinct, (*dataset_)[Split::kTrain].triples.size()) << "a fact stands twice";
  EXPECT_GE(distinct, 3000U);
  EXPECT_GE(facts_.size(), 12U);
}

TEST_F(World, BordersAreSymmetricAndNobodyBordersItself) {
  EXPECT_EQ(facts_["borders"], reversed(facts_["borders"]));
  for (const auto& [head, tail] : facts_["borders"]) EXPECT_NE(head, tail);
}

TEST_F(World, InversesAgree) {
  EXPECT_EQ(facts_["capital"], reversed(facts_["capital_of"]));
  EXPECT_EQ(facts_["located_in"], reversed(facts_["has_city"]));
}

TEST_F(World, EveryCountryHasItsParticulars) {
  const auto continents = per_head(facts_["continent"]);
  EXPECT_GE(continents.size(), 195U);
  for (const char* relation : {"region", "driving_side", "government"}) {
    EXPECT_EQ(per_head(facts_[relation]), continents) << relation;
  }
  for (const auto& [country, count] : continents) {
    EXPECT_EQ(count, 1) << country;
    EXPECT_TRUE(per_head(facts_["currency"]).contains(country)) << country;
    EXPECT_TRUE(per_head(facts_["official_language"]).contains(country) || country == "Vatican City")
        << country;
  }
}

TEST_F(World, CapitalsAreCitiesOfTheirCountries) {
  for (const auto& pair : facts_["capital"]) EXPECT_TRUE(facts_["has_city"].contains(pair)) << pair.first;
}

}  // namespace
}  // namespace greenkgc::graph
