#include "model/second_stage_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::model {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kRelations = 3;
constexpr std::size_t kFacts = 10;

SecondStage small_stage() {
  SecondStage stage;
  stage.labels = "heldout";
  stage.links = true;
  stage.list_size = 50;
  stage.first_best = 20;
  stage.rules = {{.head = RelationId{2}, .length = 3, .steps = {0, 5, 1}, .pairs = {9, 8}, .facts = {7, 8}},
                 {.head = RelationId{0}, .length = 1, .steps = {4}, .pairs = {3, 2}, .facts = {0, 1}}};
  stage.walks = {{.head = 5, .length = 2, .place = 1, .step = 3, .weight = 65'535},
                 {.head = 0, .length = 5, .place = 4, .step = 0, .weight = 1}};
  stage.trees.features = {"score", "nothing", "count"};
  stage.trees.cuts = {{-1, 0.5F}, {}, {2}};
  // Not level by level: the right child's children stand first.
  stage.trees.trees = {{{{.feature = 0, .left = 1, .bin = 1},
                         {.feature = 2, .left = 5},
                         {.feature = 0, .left = 3},
                         {.value = 1},
                         {.value = 2},
                         {.value = 3},
                         {.value = 4}}},
                       {{{.value = -5}}}};
  stage.calibration = {{-1, 2}, {0.25F, 0.75F}};
  stage.evidence = {1, 0, 1, 1, 0, 0, 0, 1, 0, 1};
  return stage;
}

class SecondStageFile : public testing::Test {
 protected:
  SecondStage read_back(const SecondStage& stage) const {
    tensors::SafetensorsWriter writer;
    const SecondStageTensors tensors(stage);
    tensors.add_to(writer);
    writer.write(folder_.path() / "s");
    const tensors::SafetensorsFile file(folder_.path() / "s");
    EXPECT_TRUE(has_second_stage(file));
    return read_second_stage(file, kRelations, kFacts);
  }
  std::string error_with(const std::function<void(SecondStage&)>& change) const {
    SecondStage stage = small_stage();
    change(stage);
    try {
      read_back(stage);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

FactTrees small_fact_trees() {
  FactTrees trees;
  trees.features = {"score", "rank"};
  trees.cuts = {{-1, 0.5F}, {}};
  const trees::ListTree split = {{{.feature = 0, .left = 1, .bin = 1}, {.value = -2}, {.value = 3}}};
  trees.folds = {{split, {{{.value = 1}}}}, {}, {split}};
  trees.slope = 1.5F;
  trees.offset = -0.25F;
  trees.relation_offsets = {0, 0.5F, -0.5F};
  trees.missing_share = 0.05F;
  trees.missing_per_query = 0.125F;
  trees.query_features = {"likely_known"};
  trees.query_cuts = {{0.5F}};
  trees.query_trees = {{{{.feature = 0, .left = 1}, {.value = -1}, {.value = 1}}}};
  return trees;
}

TEST_F(SecondStageFile, FactTreesComeBack) {
  SecondStage stage = small_stage();
  stage.facts = small_fact_trees();
  const FactTrees back = read_back(stage).facts;
  EXPECT_EQ(back.features, stage.facts.features);
  EXPECT_EQ(back.cuts, stage.facts.cuts);
  EXPECT_EQ(back.folds, stage.facts.folds);
  EXPECT_EQ(back.query_features, stage.facts.query_features);
  EXPECT_EQ(back.query_cuts, stage.facts.query_cuts);
  EXPECT_EQ(back.query_trees, stage.facts.query_trees);
  EXPECT_EQ(back.relation_offsets, stage.facts.relation_offsets);
  EXPECT_EQ(back.missing_per_query, stage.facts.missing_per_query);
  for (const float sum : {-5.0F, 0.0F, 4.0F})
    EXPECT_EQ(back.probability(sum, RelationId{1}), stage.facts.probability(sum, RelationId{1}));
  EXPECT_TRUE(read_back(small_stage()).facts.empty());
}

TEST_F(SecondStageFile, DamagedFactTreesAreRefused) {
  const auto with = [&](const std::function<void(FactTrees&)>& change) {
    return error_with([&](SecondStage& stage) {
      stage.facts = small_fact_trees();
      change(stage.facts);
    });
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(with([](FactTrees& t) { t.relation_offsets.pop_back(); }), HasSubstr("fact.relation_offsets"));
  EXPECT_THAT(with([&](FactTrees& t) { t.relation_offsets[1] = kNan; }), HasSubstr("fact.relation_offsets"));
  EXPECT_THAT(with([&](FactTrees& t) { t.slope = kNan; }), HasSubstr("fact.curve"));
  EXPECT_THAT(with([](FactTrees& t) { t.missing_share = 0; }), HasSubstr("fact.curve has a share"));
  EXPECT_THAT(with([](FactTrees& t) { t.labeled_share = 1; }), HasSubstr("fact.curve has a share"));
  EXPECT_THAT(with([](FactTrees& t) { t.folds[0][0].nodes[0].feature = 2; }), HasSubstr("feature 2 of 2"));
  EXPECT_THAT(with([](FactTrees& t) { t.folds[0][0].nodes[0].bin = 2; }), HasSubstr("splits at bin 2"));
}

TEST_F(SecondStageFile, RoundTrip) {
  const SecondStage stage = small_stage();
  const SecondStage back = read_back(stage);
  EXPECT_EQ(back.labels, "heldout");
  EXPECT_TRUE(back.links);
  EXPECT_FALSE(back.on_first);
  EXPECT_EQ(back.list_size, 50U);
  EXPECT_EQ(back.first_best, 20U);
  EXPECT_EQ(back.rules, stage.rules);
  EXPECT_EQ(back.walks, stage.walks);
  EXPECT_EQ(back.trees.features, stage.trees.features);
  EXPECT_EQ(back.trees.cuts, stage.trees.cuts);
  EXPECT_EQ(back.evidence, stage.evidence);
  EXPECT_EQ(back.calibration.margins, stage.calibration.margins);
  EXPECT_EQ(back.trees.trees[0].nodes[1].left, 3);  // level by level
  const std::vector<float> rows = {-2, 0, 1, -2, 0, 3, 0, 0, 3, 1, 0, 1, 0.5F, 0, 0};
  std::vector<float> margins(5);
  std::vector<float> expected(5);
  trees::ListScorer(back.trees).add_values(rows, margins);
  trees::ListScorer(stage.trees).add_values(rows, expected);
  EXPECT_EQ(margins, expected);
}

TEST_F(SecondStageFile, WhatMarginsBeginWithComesBack) {
  SecondStage stage = small_stage();
  stage.on_first = true;
  EXPECT_TRUE(read_back(stage).on_first);
}

TEST_F(SecondStageFile, LargeCountsComeBack) {
  SecondStage stage = small_stage();
  stage.rules[0].pairs = {70'000, 65'535};
  EXPECT_EQ(read_back(stage).rules, stage.rules);
  stage.rules[0].pairs = {65'535, 65'535};
  EXPECT_EQ(read_back(stage).rules, stage.rules);
}

TEST_F(SecondStageFile, MayBeEmpty) {
  SecondStage stage;
  stage.labels = "valid";
  stage.evidence.assign(kFacts, 0);
  const SecondStage back = read_back(stage);
  EXPECT_TRUE(back.rules.empty());
  EXPECT_TRUE(back.walks.empty());
  EXPECT_TRUE(back.trees.trees.empty());
  EXPECT_FALSE(back.links);
}

// What a hostile file with right checksums could hold.
TEST_F(SecondStageFile, RefusesWhatDoesNotFitTogether) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto root = [](SecondStage& s) -> trees::ListTreeNode& { return s.trees.trees[0].nodes[0]; };
  EXPECT_THAT(error_with([&](auto& s) { root(s).feature = 3; }), HasSubstr("refers to feature 3 of 3"));
  EXPECT_THAT(error_with([&](auto& s) { root(s).bin = 2; }), HasSubstr("splits at bin 2"));
  EXPECT_THAT(error_with([&](auto& s) { root(s).feature = 1; }), HasSubstr("there are 0 cuts"));
  EXPECT_THAT(error_with([](auto& s) { s.trees.trees[1].nodes[0].value = kNan; }),
              HasSubstr("tree 1 over candidates: a leaf has no finite value"));
  EXPECT_THAT(error_with([](auto& s) { s.trees.cuts[0] = {1, 0}; }), HasSubstr("not in ascending order"));
  EXPECT_THAT(error_with([](auto& s) { s.trees.cuts[0] = {1, kNan}; }), HasSubstr("second.cuts"));
  EXPECT_THAT(error_with([](auto& s) { s.trees.cuts[0].resize(256, 1); }), HasSubstr("feature 0"));
  EXPECT_THAT(error_with([](auto& s) { s.trees.features[1] = "score"; }), HasSubstr("second.features"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[0].head = RelationId{3}; }),
              HasSubstr("rule 0 has a relation"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[1].length = 4; }), HasSubstr("rule 1 has a length other"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[1].length = 0; }), HasSubstr("rule 1 has a length other"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[0].steps[1] = 6; }), HasSubstr("rule 0 has a step"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[1].steps[2] = 1; }), HasSubstr("rule 1 has a step"));
  EXPECT_THAT(error_with([](auto& s) { s.rules[0].facts[1] = 9; }), HasSubstr("more facts than pairs"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[0].head = 6; }), HasSubstr("step 0 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[1].step = 6; }), HasSubstr("step 1 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[1].length = 6; }), HasSubstr("step 1 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[0].length = 1; }), HasSubstr("step 0 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[0].place = 2; }), HasSubstr("step 0 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.walks[0].weight = 65'536; }), HasSubstr("step 0 of the walks"));
  EXPECT_THAT(error_with([](auto& s) { s.evidence.resize(17); }), HasSubstr("second.evidence"));
  EXPECT_THAT(error_with([](auto& s) { s.first_best = 51; }),
              HasSubstr("more candidates from the first stage"));
  EXPECT_THAT(error_with([](auto& s) { s.list_size = 2'000'000; }), HasSubstr("second.list_size"));
  EXPECT_THAT(error_with([](auto& s) { s.list_size = s.first_best = 0; }),
              HasSubstr("empty candidate lists"));
  EXPECT_THAT(error_with([](auto& s) {
                s.calibration.probabilities = {0.5F, 0.25F};
              }),
              HasSubstr("not in ascending order"));
  EXPECT_THAT(error_with([](auto& s) {
                // A chain of nine splits.
                s.trees.trees[1].nodes.clear();
                for (std::uint16_t i = 0; i < 9; ++i) {
                  s.trees.trees[1].nodes.resize(2U * i + 1);
                  s.trees.trees[1].nodes[i == 0 ? 0 : 2U * i - 1] = {
                      .feature = 2, .left = static_cast<std::uint16_t>(2 * i + 1)};
                  s.trees.trees[1].nodes.resize(2U * i + 3);
                }
              }),
              HasSubstr("is deeper than 8"));
}

}  // namespace
}  // namespace greenkgc::model
