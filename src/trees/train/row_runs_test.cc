#include "trees/train/row_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace greenkgc::trees {
namespace {

constexpr std::uint32_t kEntities = 20;
constexpr std::uint32_t kRelations = 3;

features::SideTables tables() {
  return {features::BinnedTable(kEntities), features::BinnedTable(kRelations)};
}

void add(Samples& samples, std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  samples.ids[0].push_back(head);
  samples.ids[1].push_back(relation);
  samples.ids[2].push_back(tail);
  samples.labels.push_back(0);
}

TEST(RowKeyRange, NumbersHeadsRelationsAndTailsApart) {
  const RowKeyRange range(tables());
  EXPECT_EQ(range.key(TriplePart::kHead, 19), 19U);
  EXPECT_EQ(range.key(TriplePart::kRelation, 0), 20U);
  EXPECT_EQ(range.key(TriplePart::kTail, 0), 23U);
  EXPECT_EQ(range.size(), 43U);
}

TEST(RowRuns, AreAFactsFalseTailsAndFalseHeads) {
  Samples samples;
  for (const std::uint32_t tail : {4U, 5U, 5U, 6U}) add(samples, 1, 2, tail);
  for (const std::uint32_t head : {7U, 8U, 9U}) add(samples, head, 2, 4);
  const RowKeyRange range(tables());
  const RowRuns runs(samples, range);
  const auto found = runs.of_block(0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 0);
  EXPECT_EQ(found[0].end, 4);
  EXPECT_EQ(found[1].begin, 4);
  EXPECT_EQ(found[1].end, 7);
  EXPECT_EQ(runs.keys(), (std::vector<std::uint32_t>{27, 28, 28, 29, 7, 8, 9}));
}

// Whatever the samples: a row's three keys are those of its ids, and runs cover all rows of a block.
TEST(RowRuns, KeepTheKeysOfEachRow) {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, 2 * RowRuns::kBlock, std::size_t{3000}}) {
    Samples samples;
    const CounterRandom random(1, 2);
    for (std::uint64_t row = 0; row < rows; ++row) {
      // The head changes all the time, the others now and then.
      add(samples, static_cast<std::uint32_t>(random.below(kEntities, row)),
          static_cast<std::uint32_t>(random.below(kRelations, 5'000'000 + row / 100)),
          static_cast<std::uint32_t>(random.below(kEntities, 9'000'000 + row / 7)));
    }
    const RowKeyRange range(tables());
    const RowRuns runs(samples, range);
    for (std::size_t first = 0; first < rows; first += RowRuns::kBlock) {
      std::size_t covered = 0;
      for (const simd::RowRun& run : runs.of_block(first / RowRuns::kBlock)) {
        ASSERT_EQ(run.begin, covered);
        ASSERT_GT(run.end, run.begin);
        covered = run.end;
        for (std::size_t row = first + run.begin; row < first + run.end; ++row) {
          std::multiset<std::uint32_t> expected;
          for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail})
            expected.insert(range.key(part, samples.of(part)[row]));
          ASSERT_EQ((std::multiset<std::uint32_t>{runs.keys()[row], run.shared_keys[0], run.shared_keys[1]}),
                    expected);
        }
      }
      EXPECT_EQ(covered, std::min(RowRuns::kBlock, rows - first));
    }
  }
}

}  // namespace
}  // namespace greenkgc::trees
