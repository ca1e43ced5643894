#include "simd/trees/row_classes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

constexpr std::size_t kRows = 18 * kRowGranule;  // more than are run at once
constexpr std::size_t kColumns = 3;

class RowClassesKernel : public testing::TestWithParam<std::string> {
 protected:
  RowClassesKernel() : bins_(kColumns * kStride) {
    std::mt19937 random(1);
    for (std::uint8_t& bin : bins_) bin = static_cast<std::uint8_t>(random() % 256);
  }
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }

  std::uint8_t bin(std::size_t column, std::size_t row) const { return bins_[column * kStride + row]; }
  BinColumns columns() const { return {bins_.data(), kStride, kRows}; }

  // By the second classifier below, in plain words.
  std::uint32_t expected_class(std::size_t row) const {
    const std::uint32_t first = bin(0, row) > 127 ? 5 : 0;
    const std::uint32_t second = bin(1, row) > 200 ? 7 + first : 1;
    return second + (bin(2, row) > 0 ? 0 : first);
  }

  static constexpr std::size_t kStride = kRows + 5;  // columns do not begin at cache lines
  std::vector<std::uint8_t> bins_;
  const std::vector<ClassStep> steps_ = {
      {0, 127, 5, ClassStep::kZeros, ClassStep::kZeros, 2},
      {1, 200, 7, ClassStep::kOnes, 2, 3},
      {2, 0, 0, 2, ClassStep::kZeros, 4},
      {ClassStep::kSum, 0, 0, 3, 4, 2},
      {1, 255, 9, 2, 2, 2},  // never high
  };
  const std::vector<Classifier> classifiers_ = {{0, 0, ClassStep::kZeros}, {0, 5, 2}};
};

TEST_P(RowClassesKernel, ClassesFollowTheSteps) {
  std::vector<std::uint32_t> classes(2 * kRows, 99);
  classify_rows({classifiers_, steps_}, columns(), classes.data());
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::uint32_t* granule = classes.data() + row / kRowGranule * 2 * kRowGranule;
    ASSERT_EQ(granule[row % kRowGranule], 0U) << row;
    ASSERT_EQ(granule[kRowGranule + row % kRowGranule], expected_class(row)) << row;
  }
}

TEST_P(RowClassesKernel, TablesHaveTheValueThatIsKept) {
  std::vector<TableSource> sources(2);
  for (std::size_t c = 0; c < kMostClasses; ++c) {
    sources[0].masks[c] = 1U << c;
    sources[0].values[c] = static_cast<float>(c);
    sources[1].masks[c] = (1U << (c % 16)) | (1U << (16 + c % 16));
    sources[1].values[c] = static_cast<float>(100 + c);
  }
  const std::vector<ClassLookup> lookups = {{0, 0, 0xFFFFFFFF}, {0, 1, 0x0000FFFF}, {0, 1, 0xFFFF0000}};
  std::vector<ClassTable> tables(3);
  make_tables(lookups, sources, tables.data());
  for (std::size_t c = 0; c < kMostClasses; ++c) {
    EXPECT_EQ(tables[0][c], static_cast<float>(c));
    EXPECT_EQ(tables[1][c], static_cast<float>(100 + c % 16));
    EXPECT_EQ(tables[2][c], static_cast<float>(116 + c % 16));
  }
}

TEST_P(RowClassesKernel, SumsAreThoseOfOneLookupAfterAnother) {
  std::vector<ClassTable> tables(3);
  std::mt19937 random(2);
  for (ClassTable& table : tables) {
    for (float& value : table) value = std::normal_distribution<float>()(random);
  }
  const std::vector<ClassLookup> lookups = {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  const ClassifierList list{classifiers_, steps_};
  std::vector<float> together(kRows, 0.1F);
  classify_and_add(list, lookups, tables.data(), columns(), together.data());
  std::vector<std::uint32_t> classes(2 * kRows);
  classify_rows(list, columns(), classes.data());
  std::vector<float> apart(kRows, 0.1F);
  for (std::size_t row = 0; row < kRows; row += kRowGranule)
    add_lookups(lookups, tables.data(), classes.data() + 2 * row, apart.data() + row);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::uint32_t c = expected_class(row);
    const float expected = ((0.1F + tables[0][c]) + tables[1][0]) + tables[2][c];
    ASSERT_EQ(together[row], expected) << row;
    ASSERT_EQ(apart[row], expected) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RowClassesKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc::simd
