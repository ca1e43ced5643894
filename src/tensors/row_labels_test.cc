#include "tensors/row_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  std::string form;
  std::vector<std::string> labels;
};

Read read(const std::string& text) {
  const TemporaryFolder folder;
  folder.write("ids", text);
  graph::Vocabulary vocabulary;
  Read result{read_row_labels(folder.path() / "ids", vocabulary, {}), {}};
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) result.labels.emplace_back(vocabulary.label(id));
  return result;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(RowLabels, FormIsFoundInTheFile) {
  EXPECT_THAT(read("1\tb\n0\ta\n").labels, ElementsAre("a", "b"));
  EXPECT_EQ(read("1\tb\n0\ta\n").form, "id and label");
  EXPECT_THAT(read("b\t1\na\t0\n").labels, ElementsAre("a", "b"));
  EXPECT_THAT(read("2\nb\t1\na\t0\n").labels, ElementsAre("a", "b"));  // OpenKE
  EXPECT_THAT(read("b\na\r\nNew York\n").labels, ElementsAre("b", "a", "New York"));
  EXPECT_EQ(read("b\na\n").form, "one label per line");
}

TEST(RowLabels, LabelsThatAreNumbersAreToldFromIds) {
  EXPECT_THAT(read("0\t00260881\n1\t7\n").labels, ElementsAre("00260881", "7"));
  EXPECT_THAT(read("00\t1\n01\t0\n").labels, ElementsAre("01", "00"));
  EXPECT_THAT(read("0\t0\n1\t1\n").labels, ElementsAre("0", "1"));
  EXPECT_THAT(read("12\n7\n").labels, ElementsAre("12", "7"));
}

TEST(RowLabels, DoubtIsRefused) {
  EXPECT_THAT(error_of("0\t1\n1\t0\n"), HasSubstr("either column could contain the ids"));
  EXPECT_THAT(error_of("0\ta\n2\tb\n"), HasSubstr("line 2: id 2 is out of range"));
  EXPECT_THAT(error_of("a\t0\nb\t7\n"), HasSubstr("line 2: id 7 is out of range"));
  EXPECT_THAT(error_of("a\tb\n"), HasSubstr("line 1: the id must be a whole number"));
  EXPECT_THAT(error_of("0\ta\nb\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("a\nb\na\n"), HasSubstr("line 3: the label 'a' is already on an earlier line"));
  EXPECT_THAT(error_of("a\n\nb\n"), HasSubstr("line 2: is empty"));
  EXPECT_THAT(error_of(""), HasSubstr("contains no labels"));
}

}  // namespace
}  // namespace greenkgc::tensors
