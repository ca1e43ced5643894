#include "greenkgc/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "features/feature_file.h"
#include "graph/dataset.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/model.h"
#include "greenkgc/prune.h"
#include "model/model_file.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

DecideOptions few_trees() {
  DecideOptions options;
  options.trees = 20;
  options.depth = 4;
  options.negatives_per_side = 4;
  options.evaluate_every = 10;
  options.mrr_every = 10;
  options.valid_sample = 200;
  return options;
}

class DecideTest : public testing::Test {
 protected:
  // Features of one embedding for all tests.
  static void SetUpTestSuite() {
    source_ = std::make_unique<TemporaryFolder>();
    EmbedOptions embed;
    embed.dims = 16;
    embed.negatives = 512;
    embed.batch = 512;
    embed.margin = 6;
    embed.epochs = 6;
    embed.valid_every = 6;
    const Dataset world = Dataset::load("world", {}, Context{});
    train_embedding(world, embed, {.out = source_->path() / "e.safetensors"}, Context{});
    PruneOptions prune;
    prune.groups = "2";
    prune.keep_dims = 8;
    prune_embedding(
        world, prune,
        {.embeddings = source_->path() / "e.safetensors", .out = source_->path() / "f.safetensors"},
        Context{});
  }
  static void TearDownTestSuite() { source_.reset(); }

  DecideTest() : world_(Dataset::load("world", {}, Context{})) {
    folder_.write("f.safetensors", source_->read("f.safetensors"));
  }

  DecideResult decide(const std::string& name, const DecideOptions& options, const Context& context = {},
                      bool resume = false) const {
    return learn_decisions(
        world_, options,
        {.features = folder_.path() / "f.safetensors", .out = folder_.path() / name, .resume = resume},
        context);
  }
  // A run that is cancelled when the second group starts: its checkpoint has the first.
  void interrupt(const std::string& name, const DecideOptions& options) const {
    class Watch : public ProgressSink {
     public:
      explicit Watch(std::string path) : path_(std::move(path)) {}
      void begin(std::string_view, std::uint64_t, std::string_view) override {
        if (std::filesystem::exists(path_)) cancel = true;
      }
      void update(std::uint64_t) override {}
      void end() override {}
      std::atomic<bool> cancel = false;

     private:
      const std::string path_;
    };
    const std::string model = (folder_.path() / name).string();
    Watch watch(model + ".checkpoint");
    EXPECT_THROW(decide(name, options, {.progress = &watch, .cancel = &watch.cancel}), Error);
    EXPECT_TRUE(std::filesystem::exists(model + ".checkpoint"));
    EXPECT_FALSE(std::filesystem::exists(model));
  }
  double test_mrr(const std::string& name) const {
    return evaluate(world_, folder_.path() / name, {}, Context{}).sides.both.realistic.mrr;
  }
  std::string error_of(const DecideOptions& options) const {
    try {
      decide("x", options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "no error";
  }
  bool same(const std::string& a, const std::string& b) const { return folder_.read(a) == folder_.read(b); }

  static std::unique_ptr<TemporaryFolder> source_;
  const Dataset world_;
  TemporaryFolder folder_;
};
std::unique_ptr<TemporaryFolder> DecideTest::source_;

TEST_F(DecideTest, ModelsRankBetterThanTheirFeatures) {
  const DecideResult result = decide("m.gkgc", few_trees());
  ASSERT_EQ(result.groups.size(), 2U);
  for (const DecidedGroup& group : result.groups) {
    EXPECT_EQ(group.trees, 20U);
    EXPECT_EQ(group.samples, group.facts * 9);
    EXPECT_GT(group.auc_pr, group.held_out_auc_pr);
    EXPECT_GT(group.held_out_auc_pr, 1.0 / 9);
  }
  EXPECT_GT(test_mrr("m.gkgc"), test_mrr("f.safetensors"));
  // What the result says of valid is what evaluate finds on the same queries, but for facts of test, which
  // evaluate leaves out.
  EXPECT_NEAR(
      result.valid_mrr,
      evaluate(world_, folder_.path() / "m.gkgc", {.split = "valid"}, Context{}).sides.both.realistic.mrr,
      0.05);
  EXPECT_EQ(result.bytes, std::filesystem::file_size(folder_.path() / "m.gkgc"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "m.gkgc.checkpoint"));
  const std::string log = folder_.read("log.jsonl");
  for (const char* part : {"decide.point", "held_out_auc_pr", "valid_mrr", "decide.done"})
    EXPECT_THAT(log, HasSubstr(part));
}

TEST_F(DecideTest, SameBytesForAnyThreads) {
  decide("a.gkgc", few_trees(), Context{.threads = 1});
  decide("b.gkgc", few_trees(), Context{.threads = 3});
  EXPECT_TRUE(same("a.gkgc", "b.gkgc"));
  decide("c.gkgc", few_trees(), Context{.seed = 7});
  EXPECT_FALSE(same("a.gkgc", "c.gkgc"));
}

TEST_F(DecideTest, ModelsScoreFacts) {
  decide("m.gkgc", few_trees());
  const Model model = Model::open(folder_.path() / "m.gkgc");
  const auto facts = world_.triples(Split::kTrain).first(100);
  const std::vector<Score> scores = model.score(facts, Context{});
  ASSERT_EQ(scores.size(), facts.size());
  const model::Decisions& decisions = model.impl().decisions;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    EXPECT_GT(scores[i].probability, 0);
    for (std::size_t j = 0; j < i; ++j) {
      if (decisions.group_of[index(facts[i].relation)] != decisions.group_of[index(facts[j].relation)])
        continue;
      EXPECT_EQ(scores[i].margin < scores[j].margin && scores[i].probability > scores[j].probability, false);
    }
  }
  Triple unknown = facts[0];
  unknown.tail = EntityId{model.entity_count()};
  EXPECT_THROW(model.score({&unknown, 1}, Context{}), Error);
}

TEST_F(DecideTest, EveryKindLearns) {
  DecideOptions plain = few_trees();
  plain.base_margin = false;
  DecideOptions softmax = few_trees();
  softmax.objective = "softmax";
  DecideOptions forest = plain;
  forest.classifier = "forest";
  DecideOptions tree = plain;
  tree.classifier = "tree";
  tree.depth = 7;
  DecideOptions hard = few_trees();
  hard.negatives = "random:0.5,embedding:0.5";
  for (const auto& [name, options] : std::vector<std::pair<std::string, DecideOptions>>{
           {"plain", plain}, {"softmax", softmax}, {"forest", forest}, {"tree", tree}, {"hard", hard}}) {
    SCOPED_TRACE(name);
    const DecideResult result = decide(name, options);
    EXPECT_EQ(result.groups[0].trees, name == "tree" ? 1U : 20U);
    // By chance 1 of 9 samples is a fact. Ranks of a single tree are mostly ties, so they say little.
    for (const DecidedGroup& group : result.groups) EXPECT_GT(group.held_out_auc_pr, 0.13);
    if (options.classifier == "boosting") {
      EXPECT_GT(test_mrr(name), 0.03);
    }
    EXPECT_EQ(model::read_model(folder_.path() / name).decisions.has_base(), options.uses_base_margin());
  }
}

TEST_F(DecideTest, AnInterruptedRunGoesOnToTheSameBytes) {
  decide("whole.gkgc", few_trees());
  interrupt("cut.gkgc", few_trees());

  std::string said;
  Context again;
  again.log = [&](LogLevel, std::string_view text) { said += std::string(text) + "\n"; };
  decide("cut.gkgc", few_trees(), again, true);
  EXPECT_THAT(said, HasSubstr("resuming after group 1 of 2"));
  EXPECT_TRUE(same("cut.gkgc", "whole.gkgc"));
}

TEST_F(DecideTest, ARunWithOtherOptionsIsNotResumed) {
  decide("m.gkgc", few_trees());
  folder_.write("n.gkgc.checkpoint", folder_.read("m.gkgc"));
  DecideOptions other = few_trees();
  other.depth = 3;
  EXPECT_THROW(decide("n.gkgc", other, {}, true), Error);
}

// The header says that the checkpoint is of this run, but its trees are not.
TEST_F(DecideTest, ACheckpointOfOtherTablesIsRefused) {
  PruneOptions narrow;
  narrow.groups = "2";
  narrow.keep_dims = 4;
  prune_embedding(world_, narrow,
                  {.embeddings = source_->path() / "e.safetensors", .out = folder_.path() / "f4.safetensors"},
                  Context{});
  learn_decisions(world_, few_trees(),
                  {.features = folder_.path() / "f4.safetensors", .out = folder_.path() / "other.gkgc"},
                  Context{});
  decide("based.gkgc", few_trees());
  DecideOptions baseless = few_trees();
  baseless.base_margin = false;
  for (const auto& [options, of] : {std::pair(few_trees(), "other.gkgc"), {baseless, "based.gkgc"}}) {
    const std::string cut = std::string("cut-") + of;
    interrupt(cut, options);
    const auto checkpoint = folder_.path() / (cut + ".checkpoint");
    const kge::Provenance provenance = model::read_model(checkpoint).provenance;
    const model::Decisions decisions = model::read_model(folder_.path() / of).decisions;
    model::write_model(checkpoint,
                       {decisions, world_.impl().entities, world_.impl().relations, {}, provenance});
    try {
      decide(cut, options, {}, true);
      FAIL() << "resumed with the trees of " << of;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
      EXPECT_THAT(error.what(), HasSubstr(".checkpoint: its tables do not match the features"));
    }
  }
}

TEST_F(DecideTest, EarlyStoppingKeepsTheBest) {
  DecideOptions options = few_trees();
  options.trees = 400;
  options.rate = 1;
  options.evaluate_every = 5;
  options.patience = 10;
  options.mrr_every = 0;
  const DecideResult result = decide("m.gkgc", options);
  for (const DecidedGroup& group : result.groups) EXPECT_LT(group.trees, 400U);
}

TEST_F(DecideTest, StoppingByMrrKeepsTheTreesThatRankBest) {
  DecideOptions options = few_trees();
  options.stop_metric = "valid-mrr";
  options.evaluate_every = options.mrr_every = 5;
  const DecideResult result = decide("m", options);
  std::map<std::pair<std::size_t, std::size_t>, double> mrr;  // by group and number of trees
  std::istringstream log(folder_.read("log.jsonl"));
  for (std::string line; std::getline(log, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event["event"] == "decide.point") mrr[{event["group"], event["trees"]}] = event["valid_mrr"];
  }
  ASSERT_EQ(mrr.size(), 2 * 5U);  // 0, 5, 10, 15, 20 trees
  for (std::size_t g = 0; g < 2; ++g) {
    const DecidedGroup& group = result.groups[g];
    EXPECT_DOUBLE_EQ(group.valid_mrr, (mrr[{g, group.trees}]));
    for (const std::size_t trees : {0, 5, 10, 15, 20}) EXPECT_LE((mrr[{g, trees}]), group.valid_mrr);
  }
}

TEST_F(DecideTest, TreesThatHarmAreLeftOut) {
  DecideOptions options = few_trees();
  options.stop_metric = "valid-mrr";
  options.rate = 10;
  options.patience = 10;
  const DecideResult result = decide("m", options);
  for (const DecidedGroup& group : result.groups) EXPECT_EQ(group.trees, 0U);
  EXPECT_GT(result.valid_mrr, 0.1);
  EXPECT_GT(test_mrr("m"), 0.1);
}

TEST_F(DecideTest, ContradictionsAreRefused) {
  DecideOptions options = few_trees();
  options.classifier = "forest";
  options.objective = "softmax";
  EXPECT_THAT(error_of(options), HasSubstr("--objective softmax needs --classifier boosting"));
  options = few_trees();
  options.patience = 5;
  options.held_out = 0;
  EXPECT_THAT(error_of(options), HasSubstr("--patience needs"));
  options = few_trees();
  options.negatives = "ontologi";
  EXPECT_THAT(error_of(options), HasSubstr("ontology"));
}

// A group with one relation, a relation with one fact, a relation without any, features that are all the
// same.
TEST_F(DecideTest, DegenerateGraphs) {
  folder_.write("data/train.txt", "a\tonly\tb\nb\tmany\tc\nc\tmany\ta\na\tmany\td\n");
  folder_.write("data/valid.txt", "d\tmany\tb\nb\tunseen\ta\n");
  const Dataset data = Dataset::load((folder_.path() / "data").string(), {}, Context{});
  features::NamedFeatures named;
  for (const char* label : {"a", "b", "c", "d"}) named.entities.intern(label);
  for (const char* label : {"only", "many", "unseen"}) named.relations.intern(label);
  features::Features& f = named.features;
  f.pruned.kge = &kge::kge_model("distmult");
  f.pruned.similarity = kge::Similarity::kDot;
  f.pruned.dims = 1;
  f.pruned.entity_count = 4;
  f.pruned.relation_count = 3;
  f.pruned.entities.assign(4, 0.5F);
  f.pruned.relations.assign(3, 0.25F);
  f.source_dims = {0};
  f.source_dim_count = 1;
  f.group_of = {0, 1, 2};
  f.groups.assign(3, {{0}, {1}, {0}, {1, 1, 1}, {1}});
  features::write_features(folder_.path() / "same.safetensors", named,
                           std::array{features::FeatureForm::kFloat32}, Context{});
  for (const char* kind : {"boosting", "forest", "tree"}) {
    DecideOptions options = few_trees();
    options.classifier = kind;
    options.trees = 3;
    const DecideResult result = learn_decisions(
        data, options, {.features = folder_.path() / "same.safetensors", .out = folder_.path() / "m.gkgc"},
        {});
    ASSERT_EQ(result.groups.size(), 3U);
    EXPECT_EQ(result.groups[0].facts, 1U);
    EXPECT_EQ(result.groups[2].facts, 0U);
    EXPECT_EQ(result.groups[2].trees, 0U);
    EXPECT_EQ(evaluate(data, folder_.path() / "m.gkgc", {.split = "valid"}, {}).sides.both.queries, 4U);
  }
}

}  // namespace
}  // namespace greenkgc
