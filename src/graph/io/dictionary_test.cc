#include "graph/io/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> labels_of(std::string_view text, DictionaryFormat format = {}) {
  const auto source = memory_source(text, "entities.dict");
  Vocabulary vocabulary;
  read_dictionary(*source, format, vocabulary, Context{});
  std::vector<std::string> labels;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) labels.emplace_back(vocabulary.label(id));
  return labels;
}

std::string error_of(std::string_view text, DictionaryFormat format = {}) {
  try {
    labels_of(text, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(Dictionary, IdsMayComeInAnyOrder) {
  EXPECT_THAT(labels_of("0\tzero\n1\tone\r\n"), ElementsAre("zero", "one"));
  EXPECT_THAT(labels_of("2\ttwo\n0\tzero\n1\tone\n"), ElementsAre("zero", "one", "two"));
}

TEST(Dictionary, OpenKeColumns) {
  const DictionaryFormat openke{.columns = DictionaryColumns::kLabelId, .count_line = true};
  EXPECT_THAT(labels_of("2\n/m/1\t1\n/m/0 0\n", openke), ElementsAre("/m/0", "/m/1"));
  EXPECT_THAT(labels_of("1\nNew York\t0\n", openke), ElementsAre("New York"));
  EXPECT_THAT(error_of("3\na\t0\nb\t1\n", openke),
              HasSubstr("entities.dict: line 1: declares 3 lines, but 2 follow"));
  EXPECT_THAT(error_of("", openke), HasSubstr("contains no labels"));
}

TEST(Dictionary, WrongOnesAreRefusedWithTheLine) {
  EXPECT_THAT(error_of("0\ta\n2\tb\n"),
              HasSubstr("entities.dict: line 2: id 2 is out of range: this file has 2 labels"));
  EXPECT_THAT(error_of("0\ta\n0\tb\n"), HasSubstr("line 2: id 0 is already on line 1"));
  EXPECT_THAT(error_of("0\ta\n1\ta\n"), HasSubstr("line 2: the label 'a' is already on an earlier line"));
  EXPECT_THAT(error_of("0\ta\tb\n"), HasSubstr("line 1: expected 2 columns"));
  EXPECT_THAT(error_of("0\n"), HasSubstr("line 1: expected 2 columns"));
  EXPECT_THAT(error_of("x\ta\n"), HasSubstr("line 1: the id must be a whole number, not 'x'"));
  EXPECT_THAT(error_of("0\t\n"), HasSubstr("the label is empty"));
  EXPECT_THAT(error_of("18446744073709551615\ta\n"), HasSubstr("is out of range"));
}

}  // namespace
}  // namespace greenkgc::graph
