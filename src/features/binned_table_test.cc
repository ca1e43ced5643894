#include "features/binned_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "features/phase_form.h"
#include "greenkgc/error.h"

namespace greenkgc::features {
namespace {

BinnedTable binned(const std::vector<float>& values, std::size_t most_bins) {
  BinnedTable table(static_cast<std::uint32_t>(values.size()));
  table.fill(std::vector<std::vector<float>>{values}, "entity", most_bins, {});
  return table;
}

std::vector<int> bins_of(const BinnedTable& table) {
  return {table.bins(0).begin(), table.bins(0).end()};
}

TEST(BinnedTable, FewValuesHaveABinEach) {
  const BinnedTable table = binned({3, 1, 2, 1, 3}, 256);
  EXPECT_EQ(bins_of(table), (std::vector{2, 0, 1, 0, 2}));
  EXPECT_THAT(table.cuts(0), testing::ElementsAre(1.5F, 2.5F));
}

TEST(BinnedTable, ManyValuesAreCutAtQuantiles) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(i));
  const BinnedTable table = binned(values, 4);
  EXPECT_THAT(table.cuts(0), testing::ElementsAre(249.5F, 499.5F, 749.5F));
  EXPECT_THAT(table.levels(0), testing::ElementsAre(124.5F, 374.5F, 624.5F, 874.5F));
}

// Nine tenths of the rows share a value: it has a bin, and the others have all bins that are left.
TEST(BinnedTable, AFrequentValueHasABinOfItsOwn) {
  for (const float frequent : {-1.0F, 50.5F, 1000.0F}) {
    std::vector<float> values(1000, frequent);
    for (std::size_t i = 0; i < 100; ++i) values[i * 10] = static_cast<float>(i);
    const BinnedTable table = binned(values, 8);
    EXPECT_EQ(table.bin_count(0), 8U);
    std::vector<std::size_t> sizes(8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ++sizes[table.bins(0)[i]];
      EXPECT_EQ(table.bins(0)[i] == table.bins(0)[1], values[i] == frequent) << i;
    }
    EXPECT_EQ(std::ranges::count(sizes, 900U), 1);
    for (const std::size_t size : sizes) EXPECT_GE(size, 7U);
  }
}

// What trees rely on.
TEST(BinnedTable, BelowACutIsTheSameAsABinUpToIt) {
  std::vector<float> values;
  for (int i = 0; i < 5000; ++i) values.push_back(static_cast<float>((i * 7919) % 1237) / 97);
  for (const float x : {0.0F, -0.0F, 1e-45F, 3e38F, -3e38F}) values.push_back(x);
  const BinnedTable table = binned(values, 256);
  EXPECT_EQ(table.bin_count(0), 256U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t b = 0; b < table.cuts(0).size(); ++b)
      ASSERT_EQ(values[i] < table.cuts(0)[b], table.bins(0)[i] <= b);
  }
}

// Neighboring floats have no number between them.
TEST(BinnedTable, NeighbouringFloatsAreToldApart) {
  const float next = std::nextafter(1.0F, 2.0F);
  EXPECT_EQ(bins_of(binned({1, next}, 2)), (std::vector{0, 1}));
}

TEST(BinnedTable, ConstantsHaveOneBin) {
  EXPECT_EQ(binned({4, 4, 4}, 256).bin_count(0), 1U);
  EXPECT_EQ(binned({4}, 256).bin_count(0), 1U);
  EXPECT_EQ(binned({}, 256).bin_count(0), 1U);
}

TEST(BinnedTable, WhatIsNotFiniteIsRefusedSayingWhere) {
  BinnedTable table(3);
  const float inf = std::numeric_limits<float>::infinity();
  try {
    table.fill(std::vector<std::vector<float>>{{1, 2, 3}, {1, 2, -inf}}, "relation", 256, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.what(), testing::HasSubstr("variable 1 of relation 2 is -inf"));
  }
  EXPECT_THROW(table.fill(std::vector<std::vector<float>>{{1, inf - inf, 3}}, "entity", 256, {}), Error);
}

TEST(BinnedVariables, AreThoseOfTheEmbedding) {
  kge::Embeddings embeddings;
  embeddings.kge = &kge::kge_model("rotate");
  embeddings.dims = 2;
  embeddings.entity_count = 3;
  embeddings.relation_count = 2;
  embeddings.entities = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0};  // rows of two real, two imaginary parts
  embeddings.relations = {0.5F, -0.5F, 1, 0};
  const SideTables tables = binned_variables(TripleVariables(embeddings, PhaseForm::kAngle), 256, {});
  ASSERT_EQ(tables.entities.columns(), 4U);
  ASSERT_EQ(tables.relations.columns(), 2U);
  EXPECT_THAT(tables.entities.cuts(2), testing::ElementsAre(1.5F, 5.0F));  // 3, 7, 0
  EXPECT_THAT(tables.relations.cuts(1), testing::ElementsAre(-0.25F));
  EXPECT_THAT(tables.of(TriplePart::kTail).bins(3), testing::ElementsAre(1, 2, 0));  // 4, 8, 0
}

}  // namespace
}  // namespace greenkgc::features
