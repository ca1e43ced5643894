#include "greenkgc/prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/temporary_folder.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

class PruneTest : public testing::Test {
 protected:
  PruneTest() : dataset_(Dataset::load("world", {}, Context{})) {
    EmbedOptions embed;
    embed.dims = 24;
    embed.negatives = 512;
    embed.batch = 512;
    embed.margin = 6;
    embed.epochs = 4;
    embed.valid_every = 4;
    train_embedding(dataset_, embed, {.out = folder_.path() / "e.safetensors"}, Context{});
  }

  PruneResult prune(const std::string& name, const PruneOptions& options, const Context& context = {}) const {
    return prune_embedding(dataset_, options,
                           {.embeddings = folder_.path() / "e.safetensors", .out = folder_.path() / name},
                           context);
  }
  double test_mrr(const std::string& name) const {
    return evaluate(dataset_, folder_.path() / name, {}, Context{}).sides.both.realistic.mrr;
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

  TemporaryFolder folder_;
  Dataset dataset_;
};

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

TEST_F(PruneTest, RefitBringsSomeOfTheLossBack) {
  const PruneResult result =
      prune("refit", {.groups = "2", .keep_dims = 8, .scope = "global", .refit_epochs = 4});
  EXPECT_GT(result.refit_valid_mrr, result.valid_mrr);
  prune("before", {.groups = "2", .keep_dims = 8, .scope = "global"});
  EXPECT_GT(test_mrr("refit"), test_mrr("before"));
}

TEST_F(PruneTest, ContradictionsAreRefused) {
  EXPECT_THROW(prune("e.safetensors", {.groups = "1", .keep_dims = 4}), Error) << "its own input";
  EXPECT_THAT(error_of({.groups = "three"}), HasSubstr("--groups needs a number"));
  EXPECT_THAT(error_of({.groups = "0"}), HasSubstr("--groups needs a number"));
  EXPECT_THAT(error_of({.groups = "1000", .keep_dims = 4}), HasSubstr("1,000 relation groups asked for"));
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 25}),
              HasSubstr("--keep-dims 25 is more than the 24 dimensions"));
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 5, .store = {}}), HasSubstr("--store"));
  EXPECT_THAT(error_of({.groups = "1", .keep_dims = 5, .refit_epochs = 1}), HasSubstr("--scope global"));
}

}  // namespace
}  // namespace greenkgc
