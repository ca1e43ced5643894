#include "tensors/word2vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LabelledTable read(const std::string& text) {
  const auto source = memory_source(text, "a.vec");
  return read_word2vec(*source, {});
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Word2vec, LabelIsWhatPrecedesTheNumbers) {
  const LabelledTable read_back = read("3 2\nParis 1 -2.5\nNew York 3 1e-3\n7 8 9 \n");
  EXPECT_THAT(read_back.table.values, ElementsAre(1.0F, -2.5F, 3.0F, 0.001F, 8.0F, 9.0F));
  ASSERT_EQ(read_back.labels.size(), 3U);
  EXPECT_EQ(read_back.labels.label(1), "New York");
  EXPECT_EQ(read_back.labels.label(2), "7");
}

TEST(Word2vec, TakesTabsCarriageReturnsBlankLinesAndTinyNumbers) {
  const LabelledTable read_back = read("2 2\r\na\t1\t2\r\n\r\nb 1e-50  -0 \r\n");
  EXPECT_THAT(read_back.table.values, ElementsAre(1.0F, 2.0F, 0.0F, -0.0F));
}

TEST(Word2vec, ErrorsNameTheLine) {
  EXPECT_THAT(error_of(""), HasSubstr("a.vec: is empty"));
  EXPECT_THAT(error_of("the 0.1 0.2\n"), HasSubstr("line 1: must be 'COUNT DIM'"));
  EXPECT_THAT(error_of("5\n"), HasSubstr("line 1: must be 'COUNT DIM'"));
  EXPECT_THAT(error_of("0 5\n"), HasSubstr("line 1: declares a table without numbers"));
  EXPECT_THAT(error_of("1 18446744073709551615\na 1\n"),
              HasSubstr("line 1: declares 18,446,744,073,709,551,615"));
  EXPECT_THAT(error_of("1 3\na 1 2\n"),
              HasSubstr("line 2: has 2 numbers after its label, but 3 were expected"));
  EXPECT_THAT(error_of("1 2\na 1 x\n"), HasSubstr("line 2: column 2 of 2 must be a finite number, not 'x'"));
  for (const std::string wrong : {"nan", "inf", "1e39", "1e999", "0x1", "1,5"})
    EXPECT_THAT(error_of("1 2\na " + wrong + " 1\n"), HasSubstr("line 2: column 1 of 2")) << wrong;
  EXPECT_THAT(error_of("1 1\n 1\n"), HasSubstr("line 2: the label is empty"));
  EXPECT_THAT(error_of("1 1\na\tb 1\n"), HasSubstr("line 2: the label 'a\\tb' contains a tab"));
  EXPECT_THAT(error_of("3 1\na 1\nb 2\na 3\n"),
              HasSubstr("line 4: the label 'a' is already on an earlier line"));
  EXPECT_THAT(error_of("1 1\na 1\nb 2\n"),
              HasSubstr("line 3: is one more than the 1 row that line 1 declares"));
  EXPECT_THAT(error_of("18446744073709551615 1\na 1\n"), HasSubstr("but 1 follow"));
  EXPECT_THAT(error_of("2 1\na 1\n"), HasSubstr("line 1: declares 2 rows, but 1 follow"));
  EXPECT_THAT(error_of(std::string("1 1\na\0b 1\n", 10)), HasSubstr("NUL"));
}

TEST(Word2vec, IsToldFromAGraph) {
  EXPECT_TRUE(looks_like_word2vec("14541 64\n/m/0 1 2"));
  EXPECT_TRUE(looks_like_word2vec("14541 64 \r\n"));
  for (const std::string graph :
       {"5\n1 2 3\n", "1 2 3\n", "a b c\n", "a\tb\tc\n", "5 x\n", "5 0\n", "", "5 5"})
    EXPECT_FALSE(looks_like_word2vec(graph)) << graph;
}

TEST(Word2vec, ComesBackBitByBit) {
  using Limits = std::numeric_limits<float>;
  const std::vector<float> values = {0.1F,          1.0F / 3,        -0.0F,
                                     Limits::max(), Limits::min(),   Limits::denorm_min(),
                                     16777217.0F,   Limits::lowest()};
  const std::vector<std::string> labels = {"1 2", " spaces at both ends ", "Zürich", "\r"};
  const TemporaryFolder folder;
  OutputFile file(folder.path() / "a.vec");
  write_word2vec(file, labels, values, {});
  file.commit();
  const LabelledTable read_back = read(folder.read("a.vec"));
  ASSERT_EQ(read_back.table.values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(read_back.table.values[i], values[i]);
    EXPECT_EQ(std::signbit(read_back.table.values[i]), std::signbit(values[i]));
  }
  for (std::uint32_t row = 0; row < labels.size(); ++row) EXPECT_EQ(read_back.labels.label(row), labels[row]);
}

TEST(Word2vec, LabelsThatWouldNotComeBackAreRefused) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1};
  for (const std::string label : {"a\tb", "a\nb", ""}) {
    OutputFile file(folder.path() / "a.vec");
    EXPECT_THROW(write_word2vec(file, std::vector<std::string>{label}, values, {}), Error) << label;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace greenkgc::tensors
