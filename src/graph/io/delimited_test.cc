#include "graph/io/delimited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Row = std::tuple<std::string, std::string, std::string>;

struct Read {
  Dataset dataset;
  DelimitedReport report;
  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const Triple& fact : dataset[Split::kTrain].triples) {
      all.emplace_back(dataset.entities.label(index(fact.head)),
                       dataset.relations.label(index(fact.relation)),
                       dataset.entities.label(index(fact.tail)));
    }
    return all;
  }
};

Read read(std::string_view text, const DelimitedFormat& format = {}, Naming naming = Naming::kNewLabels,
          Dataset dataset = {}, int threads = 2) {
  Read result{std::move(dataset), {}};
  const auto source = memory_source(text, "facts.txt");
  const Context context{.threads = threads};
  result.report = read_delimited(*source, format, naming, result.dataset.entities, result.dataset.relations,
                                 result.dataset[Split::kTrain], context);
  return result;
}

std::string error_of(std::string_view text, const DelimitedFormat& format = {},
                     Naming naming = Naming::kNewLabels, Dataset dataset = {}) {
  try {
    read(text, format, naming, std::move(dataset));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

Dataset dictionary() {
  Dataset dataset;
  for (const char* label : {"a", "b", "c"}) dataset.entities.intern(label);
  for (const char* label : {"r", "s"}) dataset.relations.intern(label);
  return dataset;
}

TEST(Delimited, HeadGetsItsIdBeforeTail) {
  const Read result = read("b\tr\ta\na\ts\tc\n");
  EXPECT_THAT(result.rows(), ElementsAre(Row("b", "r", "a"), Row("a", "s", "c")));
  EXPECT_EQ(result.dataset.entities.label(0), "b");
  EXPECT_EQ(result.dataset.entities.label(1), "a");
  EXPECT_EQ(result.report.triples, 2U);
}

TEST(Delimited, CarriageReturnsBlankLinesAndMissingLastLineFeed) {
  const Read result = read(
      "\xEF\xBB\xBF"
      "a\tr\tb\r\n\r\n\nb\tr\tc");
  EXPECT_THAT(result.rows(), ElementsAre(Row("a", "r", "b"), Row("b", "r", "c")));
  EXPECT_EQ(result.report.blank_lines, 2U);
  EXPECT_EQ(result.dataset.entities.size(), 3U);
}

TEST(Delimited, LabelsKeepSpacesAndOddBytes) {
  EXPECT_THAT(read(" New York \t\xFFr\t\"x\", y\n").rows(),
              ElementsAre(Row(" New York ", "\xFFr", "\"x\", y")));
}

TEST(Delimited, Weights) {
  const Read result = read("a\tr\tb\t0.5\nb\tr\tc\t-2e3\r\n", {.columns = {.weight = true}});
  EXPECT_THAT(result.dataset[Split::kTrain].weights, ElementsAre(0.5F, -2000.0F));
  EXPECT_THAT(error_of("a\tr\tb\t1\na\tr\tb\tmuch\n", {.columns = {.weight = true}}),
              HasSubstr("facts.txt: line 2: column 4 must be a weight (a number), not 'much'"));
  EXPECT_THAT(error_of("a\tr\tb\tnan\n", {.columns = {.weight = true}}), HasSubstr("line 1"));
  EXPECT_THAT(error_of("a\tr\tb\t-1e300\n", {.columns = {.weight = true}}),
              HasSubstr("line 1: the weight -1e300 is too large"));
}

TEST(Delimited, WrongColumnsNameTheLine) {
  EXPECT_THAT(error_of("a\tr\tb\na\tr\n"),
              HasSubstr("facts.txt: line 2: has 2 columns, expected 3 (head, relation, tail)"));
  EXPECT_THAT(error_of("a\tr\tb\n\na\tr\tb\tc\n"), HasSubstr("line 3: has 4 columns"));
  EXPECT_THAT(error_of("a\tr\tb\tc\td\te\n"), HasSubstr("line 1: has more than 4 columns"));
  EXPECT_THAT(error_of("word\n"), HasSubstr("line 1: has 1 column,"));
}

TEST(Delimited, EmptyLabelsAreRefused) {
  EXPECT_THAT(error_of("\tr\tb\n"), HasSubstr("line 1: the head is empty"));
  EXPECT_THAT(error_of("a\t\tb\n"), HasSubstr("the relation is empty"));
  EXPECT_THAT(error_of("a\tr\t\r\n"), HasSubstr("the tail is empty"));
}

TEST(Delimited, NulByteNamesItsLine) {
  EXPECT_THAT(error_of(std::string("a\tr\tb\nx\0\tr\tb\n", 13)),
              HasSubstr("line 2: byte 2 of the line is NUL"));
}

// The error is the first in the file, and its line is right, wherever blocks are cut and whichever is parsed
// first.
TEST(Delimited, FirstFaultOfALargeFileIsReported) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += i == 123'455 || i == 180'000 ? "broken\n" : "head\trelation\ttail\n";
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_THAT(error_of(text), HasSubstr("line 123,456:"));
}

TEST(Delimited, ThreadsDoNotChangeIds) {
  std::string text;
  for (int i = 0; i < 150'000; ++i) {
    text += std::to_string(i * 7919 % 50'021) + "\tr" + std::to_string(i % 13) + "\t" +
            std::to_string(i % 977) + "\n";
  }
  const Read one = read(text, {}, Naming::kNewLabels, {}, 1);
  const Read four = read(text, {}, Naming::kNewLabels, {}, 4);
  EXPECT_EQ(one.dataset[Split::kTrain].triples, four.dataset[Split::kTrain].triples);
  EXPECT_EQ(one.dataset.entities.size(), four.dataset.entities.size());
  EXPECT_EQ(one.rows()[149'999], Row(std::to_string(149'999LL * 7919 % 50'021), "r5", "518"));
}

TEST(Delimited, CommasWithQuotes) {
  const Read result = read("\"a, b\",r,\"say \"\"hi\"\"\"\nx,\"\"\"\",y\r\n", {.separator = ','});
  EXPECT_THAT(result.rows(), ElementsAre(Row("a, b", "r", "say \"hi\""), Row("x", "\"", "y")));
  EXPECT_THAT(error_of("\"a,r,b\n", {.separator = ','}), HasSubstr("line 1: a quoted field"));
  EXPECT_THAT(error_of("\"a\"x,r,b\n", {.separator = ','}), HasSubstr("line 1: a quoted field"));
}

TEST(Delimited, HeaderGivesTheOrder) {
  const Read result =
      read("object;subject;predicate\nb;a;r\n",
           {.separator = ';', .header = true, .columns = {.head = 1, .relation = 2, .tail = 0}});
  EXPECT_THAT(result.rows(), ElementsAre(Row("a", "r", "b")));
}

TEST(Delimited, TabsAreNotPartOfALabel) {
  EXPECT_THAT(error_of("a,r,b\na,\"r\ts\",b\n", {.separator = ','}),
              HasSubstr("line 2: labels must not contain a tab"));
  EXPECT_THAT(error_of("a;r;b\tc\n", {.separator = ';'}), HasSubstr("line 1: labels must not contain a tab"));
}

TEST(Delimited, BlankLinesBeforeTheFirstLine) {
  const Read table = read("\n\r\nhead,relation,tail\na,r,b\n", {.separator = ',', .header = true});
  EXPECT_THAT(table.rows(), ElementsAre(Row("a", "r", "b")));
  EXPECT_EQ(table.report.blank_lines, 2U);
  EXPECT_THAT(error_of("\nhead\trelation\ttail\na\tr\n", {.header = true}),
              HasSubstr("line 3: has 2 columns"));

  const DelimitedFormat counted{.separator = ' ', .count_line = true};
  const std::string many(700'000, '\n');  // more than one block
  const Read ids = read(many + "1\n0 1 2\n", counted, Naming::kIds, [] {
    Dataset dataset = dictionary();
    dataset.relations.intern("t");
    return dataset;
  }());
  EXPECT_THAT(ids.rows(), ElementsAre(Row("a", "s", "c")));
  EXPECT_EQ(ids.report.blank_lines, 700'000U);
  EXPECT_THAT(error_of(many + "2\n0 1 2\n", counted, Naming::kIds, dictionary()),
              HasSubstr("line 700,001: declares 2 lines, but 1 follow"));
}

TEST(Delimited, OpenKeIds) {
  const DelimitedFormat openke{
      .separator = ' ', .count_line = true, .columns = {.head = 0, .relation = 2, .tail = 1}};
  EXPECT_THAT(read("2\n0 1 1\n2\t0 0 \n", openke, Naming::kIds, dictionary()).rows(),
              ElementsAre(Row("a", "s", "b"), Row("c", "r", "a")));
  const auto error = [&](std::string_view text) {
    return error_of(text, openke, Naming::kIds, dictionary());
  };
  EXPECT_THAT(error("3\n0 1 1\n2 0 0\n"), HasSubstr("line 1: declares 3 lines, but 2 follow"));
  EXPECT_THAT(error("1\n0 1 1\n2 0 0\n"), HasSubstr("declares 1 line, but 2 follow"));
  EXPECT_THAT(error("many\n0 1 1\n"), HasSubstr("line 1: must be the number of lines"));
  EXPECT_THAT(error("1\n0 3 1\n"),
              HasSubstr("line 2: entity id 3 is out of range: the dictionary has 3 entities"));
  EXPECT_THAT(error("1\n0 1 2\n"),
              HasSubstr("line 2: relation id 2 is out of range: the dictionary has 2 relations"));
  EXPECT_THAT(error("1\n0 -1 1\n"), HasSubstr("not '-1'"));
  EXPECT_THAT(error("1\n0 99999999999999999999 1\n"), HasSubstr("line 2"));
}

TEST(Delimited, KnownLabelsOnly) {
  EXPECT_THAT(read("a\ts\tc\n", {}, Naming::kKnownLabels, dictionary()).rows(),
              ElementsAre(Row("a", "s", "c")));
  EXPECT_THAT(error_of("a\ts\tc\na\tr\tzebra\n", {}, Naming::kKnownLabels, dictionary()),
              HasSubstr("line 2: entity 'zebra' is not in the dictionary"));
}

TEST(SplitLine, CountsOneTooManyAtMost) {
  std::string line = "a b  c\td e f";
  std::vector<std::string_view> fields(4);
  EXPECT_EQ(split_line(line, ' ', fields), 5);
  line = "  a\t";
  EXPECT_EQ(split_line(line, ' ', fields), 1);
  EXPECT_EQ(fields[0], "a");
  line = ",,";
  EXPECT_EQ(split_line(line, ',', fields), 3);
  line = "\t";
  EXPECT_EQ(split_line(line, '\t', fields), 2);
  line = "";
  EXPECT_EQ(split_line(line, ',', fields), 0);
}

}  // namespace
}  // namespace greenkgc::graph
