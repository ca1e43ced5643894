#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "greenkgc/error.h"
#include "report/run_history.h"
#include "support/temporary_folder.h"

namespace greenkgc::report {
namespace {

StageLog log_of(const std::string& lines) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "log.jsonl") << lines;
  return read_stage_log(folder.path());
}

std::vector<double> epochs(const StageLog& log) {
  std::vector<double> out;
  for (const EmbedPoint& point : log.embed) out.push_back(point.epoch);
  return out;
}

std::vector<double> trees(const DecideHistory::Group& group) {
  std::vector<double> out;
  for (const DecidePoint& point : group.curve) out.push_back(point.trees);
  return out;
}

TEST(StageLog, AResumedEmbeddingGoesOnBehindItsCheckpoint) {
  const std::string start = R"({"event":"embed.start","resumed_epochs":)";
  const auto epoch = [](int e) {
    return R"({"event":"embed.epoch","epoch":)" + std::to_string(e) + ",\"loss\":1}\n";
  };
  EXPECT_THAT(
      epochs(log_of(start + "0}\n" + epoch(1) + epoch(2) + epoch(3) + start + "2}\n" + epoch(3) + epoch(4))),
      testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(epochs(log_of(start + "0}\n" + epoch(1) + epoch(2) + start + "0}\n" + epoch(1))),
              testing::ElementsAre(1));
}

TEST(StageLog, WhatWasNotMeasuredIsMinusOne) {
  const StageLog log = log_of("{\"event\":\"embed.epoch\",\"epoch\":1,\"loss\":null}\n");
  EXPECT_EQ(log.embed.at(0).loss, -1);
  EXPECT_EQ(log.embed.at(0).valid_mrr, -1);
}

TEST(StageLog, CostsMayBeInfinite) {
  const std::string histogram = R"({"dim":0,"cost":1,"low":0,"high":1,"observed":[1],"corrupted":[1]})";
  const StageLog log =
      log_of(R"({"event":"prune.group","group":0,"relations":1,"facts":2,"kept":[0],"costs":[0.5,1],)"
             R"("sorted_selection":[0.25,null],"best":)" +
             histogram + ",\"worst\":" + histogram + "}\n");
  EXPECT_THAT(log.prune.groups.at(0).sorted_selection, testing::ElementsAre(0.25, INFINITY));
  EXPECT_EQ(log.prune.groups.at(0).best.observed.at(0), 1U);
}

std::string point(int group, int trees, const char* setting = R"("depth":3,"rate":0.1)") {
  return "{\"event\":\"decide.point\",\"group\":" + std::to_string(group) +
         ",\"trees\":" + std::to_string(trees) + "," +
         (trees == 0 ? std::string("\"valid_mrr\":0.5") : std::string(setting)) + "}\n";
}

std::string group(int group, int facts, int trees, const char* setting = R"("depth":3,"rate":0.1)") {
  return "{\"event\":\"decide.group\",\"group\":" + std::to_string(group) +
         ",\"facts\":" + std::to_string(facts) + ",\"samples\":9,\"trees\":" + std::to_string(trees) + "," +
         setting + ",\"valid_mrr\":0.25,\"seconds\":2}\n";
}

TEST(StageLog, ACurveIsThatOfTheLastRunAndOfTheSettingThatWasKept) {
  const StageLog again =
      log_of(point(0, 20) + point(0, 40) + group(0, 5, 40) + point(0, 10) + point(0, 20) + group(0, 6, 20));
  EXPECT_THAT(trees(again.decide.groups.at(0)), testing::ElementsAre(10, 20));
  EXPECT_EQ(again.decide.groups.at(0).facts, 6U);
  const char* other = R"("depth":7,"rate":0.2)";
  const StageLog searched =
      log_of(point(0, 400) + point(0, 400, other) + point(0, 800, other) + group(0, 5, 800, other));
  EXPECT_THAT(trees(searched.decide.groups.at(0)), testing::ElementsAre(400, 800));
  const StageLog interrupted =
      log_of(point(0, 20) + point(0, 40) + point(0, 20) + point(0, 40) + point(0, 60) + group(0, 5, 60));
  EXPECT_THAT(trees(interrupted.decide.groups.at(0)), testing::ElementsAre(20, 40, 60));
}

TEST(StageLog, AGroupThatAnEarlierRunLearntKeepsItsCurve) {
  const StageLog log = log_of(point(0, 0) + point(0, 20) + group(0, 5, 20) + group(0, 0, 20));
  EXPECT_THAT(trees(log.decide.groups.at(0)), testing::ElementsAre(0, 20));
  EXPECT_EQ(log.decide.groups.at(0).facts, 5U);
}

TEST(StageLog, FewerGroupsThanBefore) {
  const std::string done = "{\"event\":\"decide.done\"}\n";
  const StageLog log = log_of(group(0, 5, 1) + group(1, 5, 1) + done + group(0, 7, 1) + done);
  ASSERT_EQ(log.decide.groups.size(), 1U);
  EXPECT_EQ(log.decide.groups[0].facts, 7U);
}

std::string tested(const char* name, int answers) {
  return R"({"event":"rerank.discriminant","questions":3,"answers":)" + std::to_string(answers) +
         R"(,"false_candidates":9,"relations":7,"best":[{"name":")" + name +
         R"(","kind":"embedding","cost":0.25}],"costs":{"graph":[0.5,1],"first_stage":[],"embedding":[0.25]}})"
         "\n";
}

std::string tested_relation(const char* name) {
  return std::string(R"({"event":"rerank.discriminant.relation","relation":")") + name +
         R"(","questions":2,"answers":21,"false_candidates":32,"best":{"graph":[{"name":"g","cost":0.5},)"
         R"({"name":"h","cost":1}],"first_stage":[],"embedding":[{"name":"d","cost":0.75}]}})"
         "\n";
}

TEST(StageLog, OfTheTestsOfFeaturesTheLastOneCounts) {
  const DiscriminantHistory read = log_of(tested("old", 4) + tested_relation("a") + tested_relation("b") +
                                          tested("new", 5) + tested_relation("c"))
                                       .discriminant;
  EXPECT_EQ(read.rows.answers, 5U);
  EXPECT_EQ(read.relation_count, 7U);
  EXPECT_EQ(read.best.at(0).first, "embedding");
  EXPECT_EQ(read.best.at(0).second.name, "new");
  EXPECT_THAT(read.costs.graph, testing::ElementsAre(0.5, 1));
  EXPECT_TRUE(read.costs.first_stage.empty());
  ASSERT_EQ(read.relations.size(), 1U);
  EXPECT_EQ(read.relations[0].name, "c");
  EXPECT_EQ(read.relations[0].rows.false_candidates, 32U);
  EXPECT_EQ(read.relations[0].best.graph.at(1).name, "h");
  EXPECT_EQ(read.relations[0].best.embedding.at(0).cost, 0.75);
}

TEST(StageLog, ALastLineThatWasCutOffIsLeftOut) {
  EXPECT_EQ(log_of("{\"event\":\"embed.epoch\",\"epoch\":1,\"loss\":1}\n{\"event\":\"embed.ep").embed.size(),
            1U);
  const TemporaryFolder nothing;
  EXPECT_TRUE(read_stage_log(nothing.path()).embed.empty());
}

TEST(StageLog, LinesThatAreNoneOfOursAreNamed) {
  for (const char* line :
       {"hello", "[]", "{}", R"({"event":3})", R"({"event":"embed.epoch","epoch":"x"})",
        R"({"event":"decide.group","group":99999999999,"facts":1})", R"({"event":"prune.group","group":-1})",
        R"({"event":"prune.group","group":0})", R"({"event":"prune.done"})",
        R"({"event":"rerank.discriminant"})", R"({"event":"rerank.discriminant.relation","relation":1})"}) {
    try {
      log_of("{\"event\":\"train.start\"}\n" + std::string(line) + "\n");
      FAIL() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
      EXPECT_THAT(error.what(), testing::HasSubstr("log.jsonl line 2: "));
    }
  }
}

}  // namespace
}  // namespace greenkgc::report
