#include "rank/calibration/calibrate_groups.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

Triple fact(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  return {EntityId{head}, RelationId{relation}, EntityId{tail}};
}

TEST(SampleQuestions, AsksEachQuestionOnce) {
  const std::vector<Triple> facts = {fact(1, 0, 2), fact(1, 0, 3), fact(4, 0, 3), fact(1, 0, 2)};
  const auto all = sample_questions(facts, 100, Context{});
  std::set<std::tuple<EntityId, RelationId, graph::Side>> distinct;
  for (const graph::Query& question : all)
    distinct.insert({question.known, question.relation, question.side});
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(distinct.size(), 4U);
  EXPECT_EQ(sample_questions(facts, 3, Context{}).size(), 3U);
}

class CalibrateTest : public testing::Test {
 protected:
  CalibrateTest() : decisions_(rank::RandomDecisions({}).make()) {
    for (int e = 0; e < 300; ++e) data_.entities.intern("e" + std::to_string(e));
    for (int r = 0; r < 5; ++r) data_.relations.intern("r" + std::to_string(r));
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i)  // of relation 0, which is in group 0
      data_[Split::kValid].triples.push_back(
          fact(static_cast<std::uint32_t>(random() % 300), 0, static_cast<std::uint32_t>(random() % 300)));
    data_[Split::kTrain].triples = {fact(0, 1, 0)};
  }
  std::size_t knots(std::size_t group) const { return decisions_.groups[group].calibration.margins.size(); }

  model::Decisions decisions_;
  graph::Dataset data_;
};

TEST_F(CalibrateTest, GroupsWithoutValidFactsTakeTheCurveOfAll) {
  calibrate(data_, {"platt", 1000}, decisions_, Context{});
  EXPECT_GT(knots(0), 0U);
  EXPECT_EQ(decisions_.groups[0].calibration.margins, decisions_.groups[1].calibration.margins);
  EXPECT_EQ(decisions_.groups[0].calibration.probabilities, decisions_.groups[1].calibration.probabilities);
}

TEST_F(CalibrateTest, FactsOfTrainDoNotCount) {
  data_[Split::kTrain].triples = data_[Split::kValid].triples;
  std::string said;
  Context context;
  context.log = [&](LogLevel, std::string_view message) { said = message; };
  calibrate(data_, {"auto", 1000}, decisions_, context);
  EXPECT_EQ(knots(0), 0U);
  EXPECT_NE(said.find("no validation facts"), std::string::npos);
}

TEST_F(CalibrateTest, AutoChoosesByTheNumberOfFacts) {
  const auto calibrated = [&](const std::string& method, std::uint64_t questions) {
    calibrate(data_, {method, questions}, decisions_, Context{});
    return decisions_.groups[0].calibration.probabilities;
  };
  EXPECT_EQ(calibrated("auto", 1000), calibrated("isotonic", 1000));  // both sides: almost 400
  EXPECT_EQ(calibrated("auto", 50), calibrated("platt", 50));
  EXPECT_NE(calibrated("platt", 50), calibrated("isotonic", 50));
}

}  // namespace
}  // namespace greenkgc::rank
