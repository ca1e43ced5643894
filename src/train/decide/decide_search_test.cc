#include "train/decide/decide_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A learner whose MRR is a formula of depth, rate and trees. Each tree is a leaf with its number.
class FakeLearner {
 public:
  std::vector<std::pair<std::size_t, double>> grown;  // depth and rate of each call
  std::size_t fail_at = 1000;                         // the call that is interrupted

  SearchInput input(std::uint32_t group) {
    return {.group = group,
            .options = {},
            .learn = [this](const trees::LearnerOptions& options,
                            const std::function<bool(std::size_t, double)>& point) {
              if (grown.size() == fail_at) throw Error(ErrorCode::kInterrupted, "stopped");
              grown.emplace_back(options.depth, options.rate);
              trees::LearnedTrees learned;
              for (std::size_t t = 1; t <= options.trees; ++t) {
                trees::TreeNode leaf;
                leaf.value = static_cast<float>(t);
                learned.ensemble.trees.push_back({{leaf}});
                if (t % kSearchStep == 0 && !point(t, mrr(options.depth, options.rate, t))) break;
              }
              return learned;
            }};
  }

  // Best at depth 5, rate 0.1, 1,200 trees.
  static double mrr(std::size_t depth, double rate, std::size_t trees) {
    const double off_depth = depth == 5 ? 0 : depth == 3 ? 0.2 : 0.05;
    const double off_rate = rate == 0.1 ? 0 : 0.03;
    const double off_trees = static_cast<double>(trees > 1200 ? trees - 1200 : 1200 - trees) / 40'000;
    return 0.5 - off_depth - off_rate - off_trees;
  }
};

class SearchTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "m.search.jsonl"; }
  SearchRecord record(bool resume, const std::string& seed = "1") const {
    return {path(), {{"seed", seed}}, resume};
  }
  TemporaryFolder folder_;
};

TEST_F(SearchTest, FindsTheBestOfTheGridAndAbandonsWhatCannotReachIt) {
  FakeLearner learner;
  SearchRecord fresh = record(false);
  const SearchedTrees found = search_grid(learner.input(0), fresh);
  EXPECT_EQ(found.depth, 5);
  EXPECT_EQ(found.rate, 0.1);
  EXPECT_EQ(found.learned.ensemble.trees.size(), 1200U);
  EXPECT_EQ(learner.grown.size(), 9U);
  ASSERT_EQ(found.settings.size(), 9U);
  // The first has nothing to be below; depth 3 at rate 0.05 is 0.03 below depth 3 at 0.1, and rises too
  // slowly.
  EXPECT_FALSE(found.settings[0].abandoned);
  EXPECT_THAT(found.settings[0].trees, ElementsAre(400, 800, 1200, 1600, 2000));
  EXPECT_TRUE(found.settings[2].abandoned);
  EXPECT_THAT(found.settings[2].trees, ElementsAre(400, 800));
}

TEST_F(SearchTest, GoesOnBehindWhatWasTried) {
  FakeLearner first;
  first.fail_at = 6;  // after the best one
  {
    SearchRecord fresh = record(false);
    EXPECT_THROW(search_grid(first.input(0), fresh), Error);
  }
  FakeLearner second;
  SearchRecord again = record(true);
  EXPECT_EQ(again.size(), 6U);
  const SearchedTrees found = search_grid(second.input(0), again);
  EXPECT_EQ(found.rate, 0.1);
  EXPECT_EQ(found.learned.ensemble.trees.size(), 1200U);
  ASSERT_EQ(second.grown.size(), 4U);  // three that were left, and the best once more
  EXPECT_EQ(second.grown.back(), (std::pair<std::size_t, double>(5, 0.1)));
  // Another group has tried nothing.
  EXPECT_EQ(again.find(1, 5, 0.1), nullptr);
}

TEST_F(SearchTest, ALineThatWasCutOffIsLeftOut) {
  FakeLearner learner;
  learner.fail_at = 3;
  {
    SearchRecord fresh = record(false);
    EXPECT_THROW(search_grid(learner.input(0), fresh), Error);
  }
  const std::string whole = folder_.read("m.search.jsonl");
  folder_.write("m.search.jsonl", whole.substr(0, whole.size() - 10));
  {
    SearchRecord again = record(true);
    EXPECT_EQ(again.size(), 2U);
    again.add(0, {3, 0.05, {400}, {0.1}, false});
  }
  EXPECT_EQ(record(true).size(), 3U);
}

TEST_F(SearchTest, RefusesTheRecordOfAnotherRunAndADamagedOne) {
  record(false);
  const auto error_of = [&](const std::string& seed) -> std::string {
    try {
      record(true, seed);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("2"), HasSubstr("another run"));
  folder_.write("m.search.jsonl", folder_.read("m.search.jsonl") + "{\"depth\": 3}\n");
  EXPECT_THAT(error_of("1"), HasSubstr("line 2"));
  EXPECT_EQ(record(false).size(), 0U);
}

}  // namespace
}  // namespace greenkgc
