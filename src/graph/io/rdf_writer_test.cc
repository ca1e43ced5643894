#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "graph/io/format.h"
#include "graph/io/rdf.h"
#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::graph {
namespace {

using testing::HasSubstr;
using testing::Not;
using Row = std::tuple<std::string, std::string, std::string>;

constexpr RdfSyntax kAllSyntaxes[] = {RdfSyntax::kNTriples, RdfSyntax::kTurtle, RdfSyntax::kNQuads,
                                      RdfSyntax::kTriG};

Dataset dataset_of(const std::vector<Row>& rows) {
  Dataset dataset;
  for (const auto& [head, relation, tail] : rows) {
    const EntityId h{dataset.entities.intern(head)};
    const RelationId r{dataset.relations.intern(relation)};
    dataset[Split::kTrain].triples.push_back({h, r, EntityId{dataset.entities.intern(tail)}});
  }
  return dataset;
}

std::string written(const Dataset& dataset, RdfSyntax syntax, const Context& context = {}) {
  const TemporaryFolder folder;
  OutputFile file(folder.path() / "facts");
  write_rdf(file, syntax, dataset, dataset[Split::kTrain].triples, context);
  file.commit();
  return folder.read("facts");
}

std::string written(const std::vector<Row>& rows, RdfSyntax syntax) {
  return written(dataset_of(rows), syntax);
}

std::vector<std::string> labels_of(const Vocabulary& vocabulary) {
  std::vector<std::string> labels;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) labels.emplace_back(vocabulary.label(id));
  return labels;
}

// Written and read again, the graph is the same: labels, ids and the order of facts.
void expect_round_trip(const Dataset& dataset, RdfSyntax syntax) {
  const std::string text = written(dataset, syntax);
  const auto source = memory_source(text, "facts");
  Dataset back;
  read_rdf(*source, syntax, /*keep_literals=*/true, back.entities, back.relations, back[Split::kTrain], {});
  ASSERT_EQ(labels_of(back.entities), labels_of(dataset.entities)) << text;
  ASSERT_EQ(labels_of(back.relations), labels_of(dataset.relations)) << text;
  ASSERT_EQ(back[Split::kTrain].triples, dataset[Split::kTrain].triples) << text;
}

TEST(RdfWriter, LinesHoldOneFactEach) {
  const std::vector<Row> rows = {{"http://x/a", "http://x/p", "_:b1"},
                                 {"_:b1", "capital of", "New York"},
                                 {"http://x/a", "http://x/p", "\"Oslo\"@en"}};
  const std::string expected =
      "<http://x/a> <http://x/p> _:b1 .\n"
      "_:b1 <urn:greenkgc:capital%20of> <urn:greenkgc:New%20York> .\n"
      "<http://x/a> <http://x/p> \"Oslo\"@en .\n";
  EXPECT_EQ(written(rows, RdfSyntax::kNTriples), expected);
  EXPECT_EQ(written(rows, RdfSyntax::kNQuads), expected);
}

TEST(RdfWriter, TurtleGroupsAndDeclaresNamespaces) {
  const std::vector<Row> rows = {
      {"http://x/a", "http://v#p", "http://x/b"},     {"http://x/a", "http://v#p", "http://x/c"},
      {"http://x/a", "http://v#q", "http://x/1"},     {"http://x/b", "http://v#q", "Oslo"},
      {"http://x/a", "http://v#q", "http://other/o"}, {"_:B1", "http://v#q", "Oslo"}};
  const std::string expected =
      "@prefix ns1: <http://x/> .\n"
      "@prefix ns2: <http://v#> .\n"
      "@prefix ns3: <urn:greenkgc:> .\n"
      "\n"
      "ns1:a ns2:p ns1:b , ns1:c ;\n"
      "  ns2:q <http://x/1> .\n"
      "ns1:b ns2:q ns3:Oslo .\n"
      "ns1:a ns2:q <http://other/o> .\n"
      "_:greenkgc-B1 ns2:q ns3:Oslo .\n";
  EXPECT_EQ(written(rows, RdfSyntax::kTurtle), expected);
  EXPECT_EQ(written(rows, RdfSyntax::kTriG), expected);
}

TEST(RdfWriter, NothingIsWrittenForNoFacts) {
  for (const RdfSyntax syntax : kAllSyntaxes) EXPECT_EQ(written(std::vector<Row>{}, syntax), "");
}

TEST(RdfWriter, TheTwentyMostUsedNamespacesGetPrefixes) {
  std::vector<Row> rows;
  for (int space = 1; space <= 30; ++space) {
    for (int use = 0; use < space; ++use) {
      rows.emplace_back("http://" + std::to_string(space) + "/a", "r",
                        "http://" + std::to_string(space) + "/b");
    }
  }
  const std::string text = written(rows, RdfSyntax::kTurtle);
  EXPECT_THAT(text, HasSubstr("@prefix ns1: <urn:greenkgc:> .\n@prefix ns2: <http://30/> .\n"));
  EXPECT_THAT(text, HasSubstr("@prefix ns20: <http://12/> .\n\n"));
  EXPECT_THAT(text, HasSubstr("<http://11/a> ns1:r <http://11/b>"));
  EXPECT_THAT(text, Not(HasSubstr("ns21:")));
}

TEST(RdfWriter, LiteralsStandOnlyAsTails) {
  const std::vector<Row> rows = {{"\"x\"", "\"x\"", "\"x\""}, {"_:b", "_:b", "_:b"}};
  EXPECT_EQ(written(rows, RdfSyntax::kNTriples),
            "<urn:greenkgc:%22x%22> <urn:greenkgc:%22x%22> \"x\" .\n_:b <urn:greenkgc:_%3Ab> _:b .\n");
}

TEST(RdfWriter, EmptyLabelIsRefused) {
  for (const RdfSyntax syntax : kAllSyntaxes) {
    for (const Row& row : {Row("", "r", "t"), Row("h", "", "t"), Row("h", "r", "")}) {
      try {
        written({row}, syntax);
        ADD_FAILURE() << "written";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadInput);
        EXPECT_THAT(error.what(), HasSubstr("empty label"));
      }
    }
  }
}

TEST(RdfWriter, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  EXPECT_THROW(written(dataset_of({{"h", "r", "t"}}), RdfSyntax::kNTriples, {.cancel = &cancel}), Error);
}

const std::vector<std::string> kNastyLabels = {" ",
                                               "a b",
                                               "%",
                                               "%20",
                                               "100%",
                                               "a:b",
                                               "a:",
                                               ":a",
                                               ":",
                                               "_:",
                                               "_:a",
                                               "_:a.",
                                               "_:.a",
                                               "_:b1",
                                               "_:B1",
                                               "_:b",
                                               "_:B",
                                               "_:base",
                                               "_:prefix",
                                               "_:GRAPH",
                                               "_:greenkgc-",
                                               "_:greenkgc-B1",
                                               "_:greenkgc-greenkgc-b1",
                                               "_:a b",
                                               "_:ø",
                                               "base",
                                               "graph",
                                               "prefix",
                                               "a",
                                               "true",
                                               "5",
                                               "-1.5",
                                               ".",
                                               ";",
                                               "urn:greenkgc:",
                                               "urn:greenkgc:x",
                                               "urn:greenkgc:%0A",
                                               "urn:greenkgc:a%20b",
                                               "urn:greenkgc:urn%3Agreenkgc%3Ax",
                                               "http://x/a",
                                               "http://x/",
                                               "http://x",
                                               "http://x/a-b_c",
                                               "http://x/-a",
                                               "http://x/1",
                                               "http://x/a.",
                                               "http://x/a.b",
                                               "http://x/é",
                                               "http://x/%41",
                                               "http://x/a b",
                                               "http://x/<>",
                                               "http://x/\x01",
                                               "http://x/\x7F",
                                               "http://x/\xFF",
                                               "/m/01",
                                               "é",
                                               "日本",
                                               "\xFF\xFE",
                                               "\xC3",
                                               "\"",
                                               "\"x",
                                               "\"x\"",
                                               "\"x\"@en",
                                               "\"x\"@",
                                               "\"x\"^^<http://x/t>",
                                               "\"x\"^^<urn:greenkgc:t>",
                                               "\"5\"",
                                               "\"x\"^^<http://www.w3.org/2001/XMLSchema#string>",
                                               R"("\n\t\"\\")",
                                               R"("\u0041")",
                                               R"("\u0001")",
                                               "\"\x01\"",
                                               "\"é\"",
                                               "\"a\"b\"",
                                               "'x'",
                                               "\\",
                                               "<http://x/a>",
                                               "<",
                                               ">",
                                               "[",
                                               "]",
                                               "(",
                                               ")",
                                               "#",
                                               "@prefix",
                                               "\x01",
                                               "\x7F",
                                               "mailto:x@y",
                                               "C:\\x",
                                               "http://x/a#",
                                               "http://x/a#b",
                                               "http://"};

TEST(RdfWriter, EveryNastyLabelComesBackInEveryPlace) {
  std::vector<Row> rows;
  for (const std::string& label : kNastyLabels) {
    rows.emplace_back(label, label, label);
    rows.emplace_back("h", "r", label);
    rows.emplace_back(label, "r", "t");
  }
  const std::string long_namespace = "http://" + std::string(5000, 'x') + "/";
  rows.emplace_back(long_namespace + "a", "r", long_namespace + "b");
  for (const RdfSyntax syntax : kAllSyntaxes) expect_round_trip(dataset_of(rows), syntax);
}

std::string random_label(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string label;
  const std::size_t pieces = 1 + below(4);
  for (std::size_t i = 0; i < pieces; ++i) {
    if (below(3) > 0) {
      label += kNastyLabels[below(kNastyLabels.size())];
    } else {
      const char c = static_cast<char>(1 + below(255));
      if (c != '\t' && c != '\n' && c != '\r') label += c;
    }
  }
  return label.empty() ? "x" : label;
}

TEST(RdfWriter, RandomGraphsComeBack) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::string> labels(200);
    for (std::string& label : labels) label = random_label(random);
    std::vector<Row> rows;
    for (int i = 0; i < 1000; ++i)
      rows.emplace_back(labels[random() % 200], labels[random() % 50], labels[random() % 200]);
    for (const RdfSyntax syntax : kAllSyntaxes) {
      expect_round_trip(dataset_of(rows), syntax);
      if (HasFatalFailure()) FAIL() << rdf_name(syntax) << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace greenkgc::graph
