#include <gtest/gtest.h>

#include "greenkgc/error.h"
#include "greenkgc/train.h"
#include "support/temporary_folder.h"
#include "train/run/affordable.h"

namespace greenkgc {
namespace {

class TrainPlanTest : public testing::Test {
 protected:
  TrainPlanTest() : world_(Dataset::load("world", {}, Context{})) {}

  const Dataset world_;
};

TEST_F(TrainPlanTest, EveryPresetIsWithoutContradictions) {
  for (const std::string& preset : train_presets()) {
    TrainOptions options;
    options.preset = preset;
    const TrainPlan plan = plan_training(world_, options);
    EXPECT_NO_THROW(plan.embed.validate()) << preset;
    EXPECT_NO_THROW(plan.prune.validate()) << preset;
    EXPECT_NO_THROW(plan.decide.validate()) << preset;
    EXPECT_EQ(plan.rerank.has_value(), preset != "paper") << preset;
    if (plan.rerank) {
      EXPECT_NO_THROW(plan.rerank->validate()) << preset;
    }
    EXPECT_EQ(plan.notes.size(), plan.rerank ? 4U : 3U) << preset;
  }
}

TEST_F(TrainPlanTest, APresetIsPlannedWithoutAGraph) {
  TrainOptions options;
  options.embed.options.epochs = 7;
  options.embed.given = {"epochs"};
  const PresetPlan light = plan_preset(options);
  EXPECT_EQ(light.plan.embed.model, "complex");
  EXPECT_EQ(light.plan.embed.dims, 16);
  EXPECT_EQ(light.plan.embed.epochs, 7);
  EXPECT_TRUE(light.plan.rerank.has_value());
  EXPECT_EQ(light.plan.decide.trees, 0);
  for (const char* name : {"second_stage", "prune.groups", "decide.trees", "decide.base_margin"})
    EXPECT_TRUE(light.by_data.contains(name)) << name;
  for (const char* name : {"embed.model", "embed.dims", "embed.epochs", "decide.depth", "prune.selector"})
    EXPECT_FALSE(light.by_data.contains(name)) << name;

  options.preset = "paper";
  options.embed.given = {};
  const PresetPlan paper = plan_preset(options);
  EXPECT_EQ(paper.plan.embed.dims, 500);
  EXPECT_EQ(paper.plan.decide.trees, 1200);
  EXPECT_FALSE(paper.plan.rerank.has_value());
  EXPECT_FALSE(paper.by_data.contains("second_stage"));
}

// What is not said to go by the data is what a graph gets.
TEST_F(TrainPlanTest, WhatDoesNotGoByTheDataIsTheSameForWorld) {
  for (const std::string& preset : train_presets()) {
    TrainOptions options;
    options.preset = preset;
    const PresetPlan planned = plan_preset(options);
    const TrainPlan own = plan_training(world_, options);
    const auto check = [&]<class Options>(const std::string& stage, const Options& a, const Options& b) {
      for (const OptionSpec& spec : option_specs<Options>()) {
        const std::string name = stage + "." + spec.name;
        EXPECT_TRUE(planned.by_data.contains(name) || spec.get(&a) == spec.get(&b)) << preset << " " << name;
      }
    };
    check("embed", planned.plan.embed, own.embed);
    check("prune", planned.plan.prune, own.prune);
    check("decide", planned.plan.decide, own.decide);
  }
}

TEST_F(TrainPlanTest, ThePaperIsAsInItsText) {
  TrainOptions options;
  options.preset = "paper";
  const TrainPlan plan = plan_training(world_, options);
  EXPECT_EQ(plan.embed.model, "rotate");
  EXPECT_EQ(plan.embed.dims, 500);
  EXPECT_EQ(plan.prune.groups, "5");
  EXPECT_EQ(plan.prune.keep_dims, 32);
  EXPECT_EQ(plan.prune.store, std::vector<std::string>{"float32"});
  EXPECT_EQ(plan.decide.negatives, "ontology");
  EXPECT_EQ(plan.decide.trees, 1200);
  EXPECT_FALSE(plan.decide.uses_base_margin());
  EXPECT_EQ(plan.protocols, (std::vector<std::string>{"paper", "filtered"}));
}

TEST_F(TrainPlanTest, TreesAreThoseOfTheSecondStageWhereThereIsOne) {
  TrainOptions options;
  EXPECT_EQ(plan_training(world_, options).decide.trees, 0);
  options.decide.options.trees = 9;
  options.decide.given = {"trees"};
  EXPECT_EQ(plan_training(world_, options).decide.trees, 9);
  options.decide.given = {};
  options.second_stage = "no";
  EXPECT_EQ(plan_training(world_, options).decide.trees, 200);
  options.preset = "paper";
  options.second_stage = "yes";
  EXPECT_EQ(plan_training(world_, options).decide.trees, 1200);
}

TEST_F(TrainPlanTest, AccurateHas500Numbers) {
  TrainOptions options;
  options.preset = "accurate";
  EXPECT_EQ(plan_training(world_, options).embed.dims, 250);
  options.embed.options.dims = 300;
  options.embed.given = {"dims"};
  EXPECT_EQ(plan_training(world_, options).embed.dims, 300);
}

TEST_F(TrainPlanTest, ValidFactsThatAreRankedDependOnEntities) {
  EXPECT_EQ(affordable_facts(2.5e9, 14'541), 85'963);
  EXPECT_EQ(affordable_facts(2.5e9, 2'500'604), 500);
  EXPECT_EQ(affordable_facts(1, 0), 500);
}

TEST_F(TrainPlanTest, WhatIsGivenStays) {
  TrainOptions options;
  options.preset = "paper";
  options.embed = {.options = {}, .given = {"model", "epochs"}};
  options.embed.options.model = "transe";
  options.embed.options.epochs = 3;
  options.prune.options.groups = "1000";
  options.prune.given = {"groups"};
  options.decide.options.trees = 7;
  options.decide.given = {"trees"};
  const TrainPlan plan = plan_training(world_, options);
  EXPECT_EQ(plan.embed.model, "transe");
  EXPECT_EQ(plan.embed.dims, 500);  // of the preset
  EXPECT_EQ(plan.embed.epochs, 3);
  EXPECT_EQ(plan.prune.groups, "1000");  // more than there are relations: train() will say so
  EXPECT_EQ(plan.decide.trees, 7);
  EXPECT_EQ(plan.decide.depth, 5);
}

TEST_F(TrainPlanTest, ANamedRecipeComesInPlaceOfThePresetsEmbedding) {
  TrainOptions options;
  options.recipe = "wn18rr-rotate";
  const TrainPlan plan = plan_training(world_, options);
  EXPECT_EQ(plan.embed.model, "rotate");
  EXPECT_EQ(plan.embed.dims, 500);
  EXPECT_EQ(plan.prune.selector, "none");
}

TEST_F(TrainPlanTest, NeverMoreThanTheDataHave) {
  TemporaryFolder folder;
  folder.write("train.txt", "a\tr\tb\nb\ts\tc\n");
  const Dataset small = Dataset::load(folder.path().string(), {}, Context{});
  TrainOptions options;
  options.preset = "paper";
  options.embed.options.dims = 8;
  options.embed.given = {"dims"};
  const TrainPlan paper = plan_training(small, options);
  EXPECT_EQ(paper.prune.groups, "2");
  EXPECT_EQ(paper.prune.keep_dims, 8);
  const TrainPlan light = plan_training(small, {});
  EXPECT_FALSE(light.decide.uses_base_margin());
  EXPECT_FALSE(light.decide.stops_by_mrr());
  EXPECT_FALSE(light.rerank.has_value());
  EXPECT_EQ(light.notes.size(), 5U);
}

TEST_F(TrainPlanTest, ASecondStageWhereItIsAskedForAndPossible) {
  TrainOptions options;
  options.second_stage = "no";
  EXPECT_FALSE(plan_training(world_, options).rerank.has_value());
  options.preset = "paper";
  options.second_stage = "yes";
  EXPECT_TRUE(plan_training(world_, options).rerank.has_value());
  options.decide.options.with_facts = false;  // which it would read
  options.decide.given = {"with_facts"};
  EXPECT_FALSE(plan_training(world_, options).rerank.has_value());
}

TEST_F(TrainPlanTest, UnknownPreset) {
  TrainOptions options;
  options.preset = "heavy";
  EXPECT_THROW(plan_training(world_, options), Error);
}

}  // namespace
}  // namespace greenkgc
