#include "rank/calibration/reliability.h"

#include <gtest/gtest.h>

#include <array>

#include "rank/rankers/first_stage_ranker.h"
#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

TEST(ReliabilitySum, AgreesWithFiguresByHand) {
  ReliabilitySum sum;
  sum.add(0.0005, false);
  sum.add(0.2, true);  // the bin from 0.2 on
  sum.add(0.25, false);
  sum.add(0.25, false);
  sum.add(1, true);
  const Reliability r = sum.result();
  EXPECT_EQ(r.candidates, 5U);
  EXPECT_EQ(r.facts, 2U);
  ASSERT_EQ(r.bins.size(), 13U);
  EXPECT_EQ(r.bins[0].candidates, 1U);
  EXPECT_NEAR(r.bins[0].predicted, 0.0005, 1e-11);
  EXPECT_EQ(r.bins[4].candidates, 0U);
  EXPECT_EQ(r.bins[5].from, 0.2);
  EXPECT_EQ(r.bins[5].candidates, 3U);
  EXPECT_NEAR(r.bins[5].predicted, 0.7 / 3, 1e-11);
  EXPECT_NEAR(r.bins[5].observed, 1.0 / 3, 1e-11);
  EXPECT_EQ(r.bins[12].facts, 1U);
  EXPECT_NEAR(r.expected_calibration_error, (0.0005 + 0.3 + 0) / 5, 1e-11);
}

TEST(ReliabilitySum, OfNothingIsNothing) {
  EXPECT_EQ(ReliabilitySum().result().expected_calibration_error, 0);
}

TEST(MeasureReliability, CountsEachCandidateOnce) {
  model::Decisions decisions = RandomDecisions({}).make();
  for (auto& group : decisions.groups) group.calibration = {{-1, 0, 2}, {0.0001F, 0.3F, 0.8F}};
  const auto index_of = [](std::vector<Triple> facts) {
    return graph::KnownFacts(std::array<std::span<const Triple>, 1>{facts}, 300, Context{});
  };
  const auto fact = [](std::uint32_t h, std::uint32_t r, std::uint32_t t) {
    return Triple{EntityId{h}, RelationId{r}, EntityId{t}};
  };
  const auto known = index_of({fact(1, 0, 7), fact(1, 0, 8), fact(2, 1, 5)});
  const auto facts = index_of({fact(1, 0, 8), fact(1, 0, 9), fact(3, 1, 5), fact(2, 1, 5)});
  const std::vector<Query> queries = {{EntityId{1}, RelationId{0}, Side::kTail},
                                      {EntityId{5}, RelationId{1}, Side::kHead}};
  const Truth truth{facts, known};
  const FirstStageRanker ranker(decisions);
  const auto [top, all] = measure_reliability(ranker, queries, truth, 299, Context{.threads = 1});
  EXPECT_EQ(all.candidates, 600U - 3);
  EXPECT_EQ(all.facts, 2U);
  // The best 299 of both are all that is left.
  EXPECT_EQ(top.candidates, all.candidates);
  EXPECT_EQ(top.expected_calibration_error, all.expected_calibration_error);
  for (std::size_t b = 0; b < all.bins.size(); ++b) {
    EXPECT_EQ(top.bins[b].candidates, all.bins[b].candidates);
    EXPECT_EQ(top.bins[b].facts, all.bins[b].facts);
    EXPECT_EQ(top.bins[b].predicted, all.bins[b].predicted);
  }
  EXPECT_EQ(measure_reliability(ranker, queries, truth, 5, Context{.threads = 3}).top.candidates, 10U);
}

}  // namespace
}  // namespace greenkgc::rank
