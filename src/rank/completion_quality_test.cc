#include "rank/completion_quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace greenkgc::rank {
namespace {

Triple fact_of(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  return {EntityId{head}, RelationId{relation}, EntityId{tail}};
}

Answer proposal(std::uint32_t head, std::uint32_t relation, std::uint32_t tail, double probability) {
  return {fact_of(head, relation, tail), 0, probability, false};
}

// Relation 0 has one tail per head, relation 1 has two. Four facts are hidden, of which three are proposed,
// at places 1, 3 and 6.
class JudgeProposals : public testing::Test {
 protected:
  const std::vector<Triple> known_ = {fact_of(0, 0, 9), fact_of(1, 0, 9), fact_of(2, 0, 8), fact_of(0, 1, 1),
                                      fact_of(0, 1, 2), fact_of(1, 1, 2), fact_of(1, 1, 3)};
  const std::vector<Triple> hidden_ = {fact_of(3, 0, 9), fact_of(4, 0, 8), fact_of(2, 1, 3), fact_of(2, 1, 1),
                                       fact_of(3, 0, 9)};  // the first once more
  const std::vector<Answer> proposals_ = {
      proposal(3, 0, 9, 0.95),   // right
      proposal(0, 0, 8, 0.9),    // a second value
      proposal(2, 1, 3, 0.52),   // right
      proposal(1, 1, 1, 0.5),    // false, but relation 1 may have it
      proposal(5, 1, 1, 0.25),   // false
      proposal(4, 0, 8, 0.21),   // right
      proposal(5, 0, 9, 0.2),    // false
      proposal(6, 0, 9, 0.12),   // false
      proposal(7, 0, 9, 0.08),   // false, behind twice as many as are hidden
      proposal(2, 0, 9, 0.02),   // a second value, far behind
      proposal(8, 2, 1, 0.01)};  // of a relation that nothing is known of
  const CompletionReport report_ = judge_proposals(proposals_, hidden_, known_);
};

TEST_F(JudgeProposals, AgreesWithFiguresByHand) {
  const CompletionFigures& all = report_.all;
  EXPECT_EQ(all.hidden, 4U);
  EXPECT_EQ(all.proposals, 11U);
  EXPECT_DOUBLE_EQ(all.r_precision, 2.0 / 4);
  EXPECT_DOUBLE_EQ(all.average_precision, (1.0 / 1 + 2.0 / 3 + 3.0 / 6) / 4);
  EXPECT_DOUBLE_EQ(all.recall, 3.0 / 4);
  EXPECT_EQ(all.n_90, 2U);
  EXPECT_DOUBLE_EQ(all.precision_90.value(), 1.0 / 2);
  EXPECT_EQ(all.n_50, 4U);
  EXPECT_DOUBLE_EQ(all.precision_50.value(), 2.0 / 4);
  EXPECT_DOUBLE_EQ(report_.second_values, 1.0 / 4);
}

TEST_F(JudgeProposals, CalibrationOfTheFirstAndOfAll) {
  // Bins, with the probabilities and the facts in them: 0.9: 0.95 + 0.9, 1; 0.5: 0.52 + 0.5, 1;
  // 0.2: 0.25 + 0.21 + 0.2, 1; 0.1: 0.12, 0; and only in the whole list 0: 0.08 + 0.02 + 0.01, 0.
  const double first = std::abs(1.85 - 1) + std::abs(1.02 - 1) + std::abs(0.66 - 1) + 0.12;
  EXPECT_NEAR(report_.calibration_error, first / 8, 1e-12);
  EXPECT_NEAR(report_.calibration_error_all, (first + 0.11) / 11, 1e-12);
  ASSERT_EQ(report_.bins.size(), 10U);
  const ReliabilityBin& low = report_.bins[2];
  EXPECT_DOUBLE_EQ(low.from, 0.2);
  EXPECT_DOUBLE_EQ(low.to, 0.3);
  EXPECT_EQ(low.candidates, 3U);
  EXPECT_EQ(low.facts, 1U);
  EXPECT_NEAR(low.predicted, 0.22, 1e-12);
  EXPECT_NEAR(low.observed, 1.0 / 3, 1e-12);
  EXPECT_EQ(report_.bins[3].candidates, 0U);
  EXPECT_EQ(report_.bins[0].candidates, 3U);
  EXPECT_EQ(report_.bins[9].candidates, 2U);
}

TEST_F(JudgeProposals, EachRelationAsIfItWereAlone) {
  ASSERT_EQ(report_.relations.size(), 3U);
  const auto& [zero, no_label, first] = report_.relations[0];
  EXPECT_EQ(zero, RelationId{0});
  EXPECT_EQ(first.hidden, 2U);
  EXPECT_EQ(first.proposals, 7U);
  EXPECT_DOUBLE_EQ(first.r_precision, 1.0 / 2);
  EXPECT_DOUBLE_EQ(first.average_precision, (1.0 / 1 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(first.recall, 1);
  EXPECT_DOUBLE_EQ(first.precision_50.value(), 1.0 / 2);
  const auto& [one, none_either, second] = report_.relations[1];
  EXPECT_EQ(one, RelationId{1});
  EXPECT_DOUBLE_EQ(second.recall, 1.0 / 2);
  EXPECT_EQ(second.n_50, 2U);
  EXPECT_EQ(second.n_90, 0U);
  EXPECT_FALSE(second.precision_90.has_value());
  EXPECT_EQ(report_.relations[2].figures.hidden, 0U);
  EXPECT_EQ(report_.relations[2].figures.recall, 0);
}

TEST_F(JudgeProposals, KnownFactsAreNotHidden) {
  std::vector<Triple> hidden = hidden_;
  hidden.insert(hidden.end(), known_.begin(), known_.end());
  EXPECT_EQ(judge_proposals(proposals_, hidden, known_).all.hidden, 4U);
}

TEST(JudgeProposalsOfNothing, IsNothing) {
  const CompletionReport none = judge_proposals({}, {}, {});
  EXPECT_EQ(none.all.hidden, 0U);
  EXPECT_EQ(none.all.r_precision, 0);
  EXPECT_FALSE(none.all.precision_50.has_value());
  EXPECT_EQ(none.calibration_error, 0);
  EXPECT_EQ(none.second_values, 0);
  const std::vector<Triple> hidden = {fact_of(0, 0, 1)};
  EXPECT_EQ(judge_proposals({}, hidden, {}).all.recall, 0);
  // Fewer proposals than hidden facts: none of them can be right behind the end.
  const std::vector<Answer> one = {proposal(0, 0, 1, 1)};
  const std::vector<Triple> two = {fact_of(0, 0, 1), fact_of(0, 0, 2)};
  const CompletionReport report = judge_proposals(one, two, {});
  EXPECT_DOUBLE_EQ(report.all.r_precision, 1.0 / 2);
  EXPECT_EQ(report.bins[9].candidates, 1U);
}

TEST(SecondValues, NeedNineHeadsInTenWithOneValue) {
  std::vector<Triple> known;
  for (std::uint32_t h = 0; h < 9; ++h) known.push_back(fact_of(h, 0, 20));
  const std::vector<Triple> two = {fact_of(9, 0, 20), fact_of(9, 0, 21)};
  // The tenth head has two values, wherever they come from.
  EXPECT_TRUE(SecondValues(known, two).contains(fact_of(0, 0, 21)));
  EXPECT_FALSE(SecondValues(known, two).contains(fact_of(9, 0, 22))) << "its values are hidden";
  EXPECT_FALSE(SecondValues(known, {}).contains(fact_of(0, 1, 21)));
  known.push_back(fact_of(0, 0, 22));
  EXPECT_FALSE(SecondValues(known, two).contains(fact_of(1, 0, 21)));
}

}  // namespace
}  // namespace greenkgc::rank
