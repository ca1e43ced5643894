#include "greenkgc/prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "features/feature_file.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"
#include "kge/embedding_file.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

class PruneTest : public testing::Test {
 protected:
  // One embedding for all tests.
  static void SetUpTestSuite() {
    source_ = std::make_unique<TemporaryFolder>();
    EmbedOptions embed;
    embed.dims = 24;
    embed.negatives = 512;
    embed.batch = 512;
    embed.margin = 6;
    embed.epochs = 4;
    embed.valid_every = 4;
    train_embedding(Dataset::load("world", {}, Context{}), embed, {.out = source_->path() / "e.safetensors"},
                    Context{});
  }
  static void TearDownTestSuite() { source_.reset(); }

  PruneTest() : dataset_(Dataset::load("world", {}, Context{})) {
    folder_.write("e.safetensors", source_->read("e.safetensors"));
  }

  PruneResult prune(const std::string& name, const PruneOptions& options, const Context& context = {}) const {
    return prune_embedding(dataset_, options,
                           {.embeddings = folder_.path() / "e.safetensors", .out = folder_.path() / name},
                           context);
  }
  double test_mrr(const std::string& name) const {
    return evaluate(dataset_, folder_.path() / name, {}, Context{}).sides.both.realistic.mrr;
  }
  kge::Embeddings features(const std::string& name) const {
    return features::read_features(folder_.path() / name).features.pruned;
  }
  std::string error_of(const PruneOptions& options) const {
    try {
      prune("x", options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "no error";
  }

  static std::unique_ptr<TemporaryFolder> source_;
  TemporaryFolder folder_;
  Dataset dataset_;
};
std::unique_ptr<TemporaryFolder> PruneTest::source_;

TEST_F(PruneTest, SameBytesForAnyNumberOfThreadsAndRuns) {
  const PruneOptions options{
      .groups = "auto", .max_groups = 4, .keep_dims = 8, .store = {"float32", "8-bit", "5-bit"}};
  const PruneResult one = prune("one", options, Context{.threads = 1});
  prune("three", options, Context{.threads = 3});
  prune("again", options, Context{.threads = 3});
  EXPECT_TRUE(folder_.read("one") == folder_.read("three"));
  EXPECT_TRUE(folder_.read("one") == folder_.read("again"));
  EXPECT_EQ(one.mean_costs.size(), 4U);
  EXPECT_EQ(one.unconverged, 0U);
  EXPECT_EQ(one.bytes, std::filesystem::file_size(folder_.path() / "one"));
  EXPECT_THAT(folder_.read("log.jsonl"), HasSubstr("\"prune.done\""));
}

TEST_F(PruneTest, GroupsKeepTheirOwnDimensionsAndTheUnionIsStored) {
  const PruneResult result = prune("g", {.groups = "3", .keep_dims = 8});
  ASSERT_EQ(result.groups.size(), 3U);
  std::set<std::uint32_t> all;
  std::size_t relations = 0;
  for (const PrunedGroup& group : result.groups) {
    EXPECT_EQ(group.kept.size(), 8U);
    EXPECT_EQ(group.kept.front(), group.best.dim);
    all.insert(group.kept.begin(), group.kept.end());
    relations += group.relations.size();
  }
  EXPECT_EQ(result.union_dims, all.size());
  EXPECT_EQ(relations, dataset_.relation_count());
  const PruneResult global = prune("all", {.groups = "3", .keep_dims = 8, .scope = "global"});
  EXPECT_EQ(global.union_dims, 8U);
  EXPECT_EQ(global.groups[0].kept, global.groups[2].kept);
  EXPECT_LT(global.bytes, result.bytes);
}

TEST_F(PruneTest, PrunedModelsRankByWhatTheyKept) {
  prune("none", {.groups = "3", .selector = "none"});
  EXPECT_EQ(test_mrr("none"), test_mrr("e.safetensors")) << "nothing pruned, nothing lost";
  prune("dft", {.groups = "3", .keep_dims = 8});
  EXPECT_LT(test_mrr("dft"), test_mrr("none"));
}

TEST_F(PruneTest, EverySelectorTellsWhatItWentByForAnyNumberOfThreads) {
  std::set<std::vector<std::uint32_t>> choices;
  for (const std::string selector : {"dft", "dft-reversed", "random", "variance", "forest", "none"}) {
    const PruneOptions options{.groups = "1", .keep_dims = 8, .selector = selector};
    const PruneResult result = prune("one", options, Context{.threads = 1});
    prune("three", options, Context{.threads = 3});
    EXPECT_TRUE(folder_.read("one") == folder_.read("three")) << selector;
    const PrunedGroup& group = result.groups[0];
    EXPECT_EQ(group.selection.size(), 24U);
    EXPECT_TRUE(std::is_sorted(group.selection.begin(), group.selection.end()));
    EXPECT_LT(group.selection.front(), group.selection.back());
    choices.insert(group.kept);
  }
  EXPECT_EQ(choices.size(), 6U);
}

TEST_F(PruneTest, RefitBringsSomeOfTheLossBack) {
  for (const std::string scope : {"group", "global"}) {
    const PruneOptions pruned{.groups = "3", .keep_dims = 8, .scope = scope};
    PruneOptions refitted = pruned;
    refitted.refit_epochs = 4;
    const PruneResult result = prune("refit", refitted);
    EXPECT_GT(result.refit_valid_mrr, result.valid_mrr) << scope;
    EXPECT_EQ(result.refit_epoch, 4U);
    prune("before", pruned);
    EXPECT_GT(test_mrr("refit"), test_mrr("before")) << scope;
    prune("again", refitted, Context{.threads = 3});
    EXPECT_TRUE(folder_.read("refit") == folder_.read("again")) << "same bits for any number of threads";
  }
  EXPECT_THAT(folder_.read("log.jsonl"), HasSubstr("\"prune.refit\",\"epoch\":4"));
}

// Groups that keep the same dimensions are trained as one: it does not matter how many there are.
TEST_F(PruneTest, RefitOfOneGroupIsTheGlobalOne) {
  PruneOptions options{.groups = "1", .keep_dims = 8, .refit_epochs = 3};
  const PruneResult one = prune("one", options);
  options.groups = "3";
  options.scope = "global";
  const PruneResult global = prune("global", options);
  EXPECT_EQ(one.refit_valid_mrr, global.refit_valid_mrr);
  EXPECT_EQ(features("one").entities, features("global").entities);
  EXPECT_EQ(features("one").relations, features("global").relations);
}

TEST_F(PruneTest, RefitThatMakesItWorseIsDropped) {
  const PruneResult result =
      prune("worse", {.groups = "2", .keep_dims = 8, .refit_epochs = 1, .refit_rate = 100});
  EXPECT_EQ(result.refit_epoch, 0U);
  EXPECT_EQ(result.refit_valid_mrr, result.valid_mrr);
  prune("before", {.groups = "2", .keep_dims = 8});
  EXPECT_EQ(features("worse").entities, features("before").entities);
}

// Vectors near the end of float's range overflow as soon as they are trained.
TEST_F(PruneTest, RefitThatDivergesIsRefused) {
  kge::NamedEmbeddings named = kge::read_embeddings(folder_.path() / "e.safetensors");
  for (float& x : named.embeddings.entities) x = std::copysign(3e38F, x);
  kge::write_embeddings(folder_.path() / "e.safetensors", named.embeddings, named.entities, named.relations,
                        named.provenance);
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 5, .refit_epochs = 1}),
              HasSubstr("training has diverged"));
  prune("huge", {.groups = "1", .keep_dims = 5, .projection = "pca"});
  EXPECT_EQ(features("huge").dims, 5U) << "what was written can be read";
}

TEST_F(PruneTest, RecordedOptionsAreNotTrusted) {
  std::string file = folder_.read("e.safetensors");
  const std::string recorded = "batch = 512";
  file.replace(file.find(recorded), recorded.size(), "batch = -12");
  folder_.write("e.safetensors", file);
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 5, .refit_epochs = 1}),
              HasSubstr("the embedding's recorded option batch must be between 1 and"));
}

TEST_F(PruneTest, ContradictionsAreRefused) {
  EXPECT_THROW(prune("", {.groups = "1", .keep_dims = 4}), Error) << "a folder";
  EXPECT_THROW(prune("e.safetensors", {.groups = "1", .keep_dims = 4}), Error) << "its own input";
  EXPECT_THAT(error_of({.groups = "three"}), HasSubstr("--groups must be a number"));
  EXPECT_THAT(error_of({.groups = "0"}), HasSubstr("--groups must be a number"));
  EXPECT_THAT(error_of({.groups = "1000", .keep_dims = 4}), HasSubstr("1,000 relation groups requested"));
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 25}),
              HasSubstr("--keep-dims 25 is more than the 24 dimensions"));
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 5, .store = {}}), HasSubstr("--store"));
}

}  // namespace
}  // namespace greenkgc
