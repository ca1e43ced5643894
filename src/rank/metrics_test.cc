#include "rank/metrics.h"

#include <gtest/gtest.h>

namespace greenkgc::rank {
namespace {

TEST(Metrics, ByHand) {
  MetricSum sum;
  sum.add({.better = 0, .equal = 0});  // 1
  sum.add({.better = 1, .equal = 2});  // 2 to 4, realistic 3
  sum.add({.better = 9, .equal = 1});  // 10 to 11, realistic 10.5
  const TieMetrics metrics = sum.mean();
  EXPECT_EQ(metrics.queries, 3U);
  EXPECT_DOUBLE_EQ(metrics.realistic.mrr, (1 + 1.0 / 3 + 1 / 10.5) / 3);
  EXPECT_DOUBLE_EQ(metrics.optimistic.mrr, (1 + 0.5 + 0.1) / 3);
  EXPECT_DOUBLE_EQ(metrics.pessimistic.mrr, (1 + 0.25 + 1.0 / 11) / 3);
  EXPECT_DOUBLE_EQ(metrics.realistic.mr, (1 + 3 + 10.5) / 3);
  EXPECT_DOUBLE_EQ(metrics.realistic.hits_at_1, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.realistic.hits_at_3, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.realistic.hits_at_10, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.optimistic.hits_at_10, 1.0);
  EXPECT_EQ(MetricSum().mean().queries, 0U);
  EXPECT_EQ(MetricSum().mean().realistic.mrr, 0.0);
}

TEST(Metrics, StandardErrorOfEqualRanksIsZero) {
  MetricSum sum;
  for (int i = 0; i < 5; ++i) sum.add({.better = 1, .equal = 0});
  EXPECT_NEAR(sum.mean().mrr_standard_error, 0.0, 1e-8);
}

// 10 candidates beat the answer, 4 of them in range; 2 tie, 1 of them in range; the range has 7 candidates in
// all.
TEST(Metrics, Protocols) {
  Ranks ranks{.all = {10, 2}, .in_range = {4, 1}, .range_candidates = 7, .answer_in_range = true};
  EXPECT_EQ(rank_under(Protocol::kFiltered, ranks).realistic(), 12);
  EXPECT_EQ(rank_under(Protocol::kPaper, ranks).realistic(), 5.5);
  EXPECT_EQ(rank_under(Protocol::kRange, ranks).realistic(), 5.5);
  ranks.answer_in_range = false;
  EXPECT_EQ(rank_under(Protocol::kPaper, ranks).realistic(), 5.5);              // exempt
  EXPECT_EQ(rank_under(Protocol::kRange, ranks).realistic(), 7 + 6 + 1 + 0.5);  // behind the range
}

}  // namespace
}  // namespace greenkgc::rank
