#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <tuple>
#include <vector>

#include "graph/io/format.h"
#include "graph/io/rdf.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Row = std::tuple<std::string, std::string, std::string>;

constexpr RdfSyntax kAllSyntaxes[] = {RdfSyntax::kNTriples, RdfSyntax::kTurtle, RdfSyntax::kNQuads,
                                      RdfSyntax::kTriG};
const std::string kPrefix = "@prefix : <http://x/> .\n";

struct Read {
  std::vector<Row> rows;
  RdfReport report;
};

Read read(ByteSource& source, RdfSyntax syntax, bool keep_literals = false, const Context& context = {}) {
  Dataset dataset;
  Facts facts;
  Read result;
  result.report =
      read_rdf(source, syntax, keep_literals, dataset.entities, dataset.relations, facts, context);
  for (const Triple& fact : facts.triples) {
    result.rows.emplace_back(dataset.entities.label(index(fact.head)),
                             dataset.relations.label(index(fact.relation)),
                             dataset.entities.label(index(fact.tail)));
  }
  return result;
}

Read read(const std::string& text, RdfSyntax syntax, bool keep_literals = false) {
  return read(*memory_source(text, "facts"), syntax, keep_literals);
}

std::string error_of(ByteSource& source, RdfSyntax syntax, const Context& context = {}) {
  try {
    read(source, syntax, true, context);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what()
                                                : "not kBadInput: " + std::string(error.what());
  }
  return "no error";
}

std::string error_of(const std::string& text, RdfSyntax syntax) {
  return error_of(*memory_source(text, "facts"), syntax);
}

// The label of the object of one Turtle statement.
std::string object_label(const std::string& object) {
  return std::get<2>(read(kPrefix + ":s :p " + object, RdfSyntax::kTurtle, true).rows.at(0));
}

// Gives `head`, and then `rest` again and again until `size` bytes are out.
class RepeatingSource final : public ByteSource {
 public:
  RepeatingSource(std::string head, std::string rest, std::uint64_t size)
      : ByteSource("facts"), text_(std::move(head)), rest_(std::move(rest)), size_(size) {}
  std::size_t read(std::span<char> buffer) override {
    const struct mallinfo2 heap = ::mallinfo2();
    most_memory_ = std::max(most_memory_, heap.uordblks + heap.hblkhd);
    while (text_.size() < buffer.size()) text_ += rest_;
    const std::size_t n = std::min<std::uint64_t>(buffer.size(), size_ - given_);
    text_.copy(buffer.data(), n);
    text_.erase(0, n);
    given_ += n;
    return n;
  }
  std::uint64_t position() const override { return given_; }
  std::uint64_t size() const override { return size_; }
  std::size_t most_memory() const { return most_memory_; }  // of the heap, at any read

 private:
  std::string text_;
  std::string rest_;
  std::uint64_t size_;
  std::uint64_t given_ = 0;
  std::size_t most_memory_ = 0;
};

TEST(RdfReader, NTriples) {
  const Read r = read(
      "\xEF\xBB\xBF# a comment\n<http://x/a> <http://x/p> <http://x/b> .\r\n\n"
      "  <http://x/b>\t<http://x/p>\t_:n1.2 . # more\n_:base<http://x/q><http://x/\\u00e9>.",
      RdfSyntax::kNTriples);
  EXPECT_THAT(r.rows, ElementsAre(Row("http://x/a", "http://x/p", "http://x/b"),
                                  Row("http://x/b", "http://x/p", "_:n1.2"),
                                  Row("_:base", "http://x/q", "http://x/é")));
  EXPECT_EQ(r.report.triples, 3U);
  EXPECT_EQ(r.report.literals_skipped, 0U);
}

TEST(RdfReader, Turtle) {
  const Read r = read(
      "\xEF\xBB\xBF@prefix ex: <http://x/> .\n@base <http://base/dir/> .\nPREFIX : <#>\n"
      "ex:a a ex:T ; ex:p <b> , <../c> .\n:d ex:q ex:e\\,f . # end",
      RdfSyntax::kTurtle);
  EXPECT_THAT(r.rows,
              ElementsAre(Row("http://x/a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://x/T"),
                          Row("http://x/a", "http://x/p", "http://base/dir/b"),
                          Row("http://x/a", "http://x/p", "http://base/c"),
                          Row("http://base/dir/#d", "http://x/q", "http://x/e,f")));
}

TEST(RdfReader, NQuadsCountNamedGraphs) {
  const Read r = read(
      "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n<http://x/a> <http://x/p> _:c _:g .\n"
      "<http://x/a> <http://x/p> <http://x/d> .\n<http://x/a> <http://x/p> \"v\" <http://x/g> .\n",
      RdfSyntax::kNQuads);
  EXPECT_EQ(r.rows.size(), 3U);
  EXPECT_EQ(r.report.in_named_graphs, 2U);
  EXPECT_EQ(r.report.literals_skipped, 1U);
}

TEST(RdfReader, TriGCountsNamedGraphs) {
  const Read r = read(kPrefix + ":a :p :b . :g { :a :p :c . :a :p :d } GRAPH :h { :a :p :e } { :a :p :f }",
                      RdfSyntax::kTriG);
  EXPECT_EQ(r.report.triples, 5U);
  EXPECT_EQ(r.report.in_named_graphs, 3U);
}

TEST(RdfReader, EmptyFilesHoldNothing) {
  for (const RdfSyntax syntax : kAllSyntaxes) {
    for (const char* text : {"", "\n", "# nothing", "\xEF\xBB\xBF"}) {
      EXPECT_EQ(read(text, syntax).report.triples, 0U) << rdf_name(syntax) << text;
    }
  }
}

TEST(RdfReader, IdsFollowFirstAppearance) {
  Dataset dataset;
  Facts facts;
  dataset.entities.intern("http://x/c");
  const auto source = memory_source(
      "<http://x/b> <http://x/p> <http://x/a> .\n<http://x/a> <http://x/p> <http://x/c> .", "facts");
  read_rdf(*source, RdfSyntax::kNTriples, false, dataset.entities, dataset.relations, facts, {});
  EXPECT_THAT(facts.triples, ElementsAre(Triple{EntityId{1}, RelationId{0}, EntityId{2}},
                                         Triple{EntityId{2}, RelationId{0}, EntityId{0}}));
}

TEST(RdfReader, LiteralsAreSkippedUnlessKept) {
  const std::string text =
      "<http://x/a> <http://x/p> \"Oslo\"@en .\n<http://x/a> <http://x/p> <http://x/b> .\n";
  const Read skipped = read(text, RdfSyntax::kNTriples);
  EXPECT_THAT(skipped.rows, ElementsAre(Row("http://x/a", "http://x/p", "http://x/b")));
  EXPECT_EQ(skipped.report.literals_skipped, 1U);
  const Read kept = read(text, RdfSyntax::kNTriples, true);
  EXPECT_EQ(std::get<2>(kept.rows.at(0)), "\"Oslo\"@en");
  EXPECT_EQ(kept.report.literals_skipped, 0U);
}

TEST(RdfReader, LiteralsGetTheirNTriplesForm) {
  const std::string xsd = "http://www.w3.org/2001/XMLSchema#";
  EXPECT_EQ(object_label("'x' ."), R"("x")");
  EXPECT_EQ(object_label("\"x\"^^<" + xsd + "string> ."), R"("x")");
  EXPECT_EQ(object_label("\"x\"^^:t ."), R"("x"^^<http://x/t>)");
  EXPECT_EQ(object_label("\"\"\"a\"b\n\tc\\\\\"\"\" ."), R"("a\"b\n\tc\\")");
  EXPECT_EQ(object_label("\"\\u0000\\u0007é\\U0001F600\" ."), "\"\\u0000\\u0007é😀\"");
  EXPECT_EQ(object_label("true ."), "\"true\"^^<" + xsd + "boolean>");
  EXPECT_EQ(object_label("-1.5 ."), "\"-1.5\"^^<" + xsd + "decimal>");
  EXPECT_EQ(object_label("1e3 ."), "\"1e3\"^^<" + xsd + "double>");
}

TEST(RdfReader, IntegerKeepsItsTypeBeforeTheFullStop) {
  const std::string five = "\"5\"^^<http://www.w3.org/2001/XMLSchema#integer>";
  for (const char* object : {"5 .", "5.", "5. ", "5.\n"}) EXPECT_EQ(object_label(object), five) << object;
  for (const char* object : {"\"5\" .", "\"5\".", "\"5\"."})
    EXPECT_EQ(object_label(object), "\"5\"") << object;
  EXPECT_EQ(object_label("\"5.\"."), "\"5.\"");
  for (std::size_t padding = 65'480; padding < 65'540; ++padding) {  // the end of a block falls anywhere
    const std::string start = "#" + std::string(padding, 'x') + "\n" + kPrefix + ":s :p ";
    EXPECT_EQ(std::get<2>(read(start + "5.\n", RdfSyntax::kTurtle, true).rows.at(0)), five) << padding;
    EXPECT_EQ(std::get<2>(read(start + "'5'.\n", RdfSyntax::kTurtle, true).rows.at(0)), "\"5\"") << padding;
  }
  const std::string line = "<http://x/a> <http://x/p> \"5\".\n";
  EXPECT_EQ(std::get<2>(read(line, RdfSyntax::kNTriples, true).rows.at(0)), "\"5\"");
}

TEST(RdfReader, OwnIrisGetTheirLabelsBack) {
  const Read r =
      read("<urn:greenkgc:New%20York> <urn:greenkgc:in> <urn:greenkgc:a%2fb> .", RdfSyntax::kNTriples);
  EXPECT_THAT(r.rows, ElementsAre(Row("New York", "in", "urn:greenkgc:a%2fb")));
}

TEST(RdfReader, BlankNodesKeepTheirNamesAndOthersGetStableOnes) {
  const std::string text =
      kPrefix + "_:b1 :p [ :q _:x ] . _:base :p () . _:graph :p _:prefix . _:greenkgc-B2 :p _:b1 .";
  for (const RdfSyntax syntax : {RdfSyntax::kTurtle, RdfSyntax::kTriG}) {
    EXPECT_THAT(read(text, syntax).rows,
                ElementsAre(Row("_:b1", "http://x/p", "_:B1"), Row("_:B1", "http://x/q", "_:x"),
                            Row("_:base", "http://x/p", "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"),
                            Row("_:graph", "http://x/p", "_:prefix"), Row("_:B2", "http://x/p", "_:b1")));
  }
  const std::string lines = "_:b1 <http://x/p> _:B1 .\n_:graph <http://x/p> _:greenkgc-B2 .\n";
  EXPECT_THAT(read(lines, RdfSyntax::kNQuads).rows,
              ElementsAre(Row("_:b1", "http://x/p", "_:B1"), Row("_:graph", "http://x/p", "_:greenkgc-B2")));
}

struct Wrong {
  RdfSyntax syntax;
  std::string text;
  std::string place;
  std::string reason;
};

TEST(RdfReader, WrongInputIsRefusedWithItsPlace) {
  using enum RdfSyntax;
  const std::string good = "<http://x/a> <http://x/p> <http://x/b> .\n";
  const Wrong cases[] = {
      {kNTriples, good + "<http://x/a> <http://x/p> .\n", "line 2, column 27", "not N-Triples"},
      {kNTriples, good + "<http://x/a> <http://x/p> <http://x/b>\n", "line 2, column 39",
       "middle of a statement"},
      {kNTriples, good + "<http://x/a", "line 2, column 12", "middle of a statement"},
      {kNTriples, good + "<http://x/a> <http://x/p> \"v", "line 2, column 29", "line end in short string"},
      {kNTriples, "<a> <http://x/p> <http://x/b> .", "line 1, column 3", "IRI scheme"},
      {kNTriples, "<http://x/a b> <http://x/p> <http://x/b> .", "line 1, column", "invalid IRI character"},
      {kNTriples, "\"l\" <http://x/p> <http://x/b> .", "line 1, column 1", "not N-Triples"},
      {kNTriples, "<http://x/a> _:p <http://x/b> .", "line 1, column 14", "not N-Triples"},
      {kNTriples, "<http://x/a> <http://x/p> <http://x/b> , <http://x/c> .", "line 1, column 40",
       "not N-Triples"},
      {kNTriples, "<http://x/a> <http://x/p> <http://x/b> ; <http://x/q> <http://x/c> .", "line 1, column 40",
       "not N-Triples"},
      {kNTriples, "[ <http://x/p> <http://x/b> ] <http://x/p> <http://x/b> .", "line 1", "are Turtle syntax"},
      {kNTriples, "@prefix : <http://x/> .", "line 1, column 1", "directives"},
      {kNTriples, ":a <http://x/p> <http://x/b> .", "line 1", "prefix of ':a' is not declared"},
      {kNTriples, "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .", "line 1, column 54",
       "is this N-Quads?"},
      {kNQuads, "<http://x/a> <http://x/p> <http://x/b> \"g\" .", "line 1, column 40", "not N-Quads"},
      {kTurtle, kPrefix + ":a :p", "line 2, column 6", "middle of a statement"},
      {kTurtle, kPrefix + ":a :p [ :q :b", "line 2, column 14", "middle of a statement"},
      {kTurtle, kPrefix + ":a :p \"\"\"b", "line 2, column 11", "middle of a statement"},
      {kTurtle, kPrefix + ":a :p :b ;; :q }", "line 2, column 16", "not Turtle"},
      {kTurtle, kPrefix + ":a :p [ $ ] .", "line 2, column 9", "not Turtle"},
      {kTurtle, kPrefix + ":a :p :b, $, :c .", "line 2, column 11", "not Turtle"},
      {kTurtle, ":a :p :b .", "line 1, column", "the prefix of ':a' is not declared"},
      {kTurtle, kPrefix + ":a :p\n'v'^^no:t .", "line 3, column", "the prefix of 'no:t' is not declared"},
      {kTurtle, "<a> <http://x/p> <http://x/b> .", "line 1, column", "'a' is a relative IRI"},
      {kTurtle, "@prefix : <#> .\n:a :p :b .", "line 2, column", "'#a' is a relative IRI"},
      {kTurtle, "@base <dir/> .", "line 1, column", "'dir/' is a relative IRI"},
      {kTurtle, kPrefix + "_:b1 :p _:B2 .", "line 2, column", "cannot be distinguished"},
      {kTurtle, kPrefix + "{ :a :p :b }", "line 2, column 1", "graphs"},
      {kTurtle, kPrefix + ":a :p 'x\\uD800' .", "line 2, column", "surrogate"},
      {kTurtle, "@prefix : <http://" + std::string(5000, 'x') + "> .", "line 1, column",
       "namespace of 5,007 bytes"},
      {kTurtle, "@base <http://" + std::string(5000, 'x') + "> .", "line 1, column",
       "namespace of 5,007 bytes"},
      {kTriG, kPrefix + ":g { :a :p :b ", "line 2, column 15", "not TriG"},
      {kTriG, kPrefix + ":g { :a :p :b } .", "line 2", "graph followed by"},
  };
  for (const auto& [syntax, text, place, reason] : cases) {
    EXPECT_THAT(error_of(text, syntax), AllOf(StartsWith("facts: " + place), HasSubstr(reason))) << text;
  }
}

TEST(RdfReader, BytesThatAreNoTextAreRefusedEverywhere) {
  using std::string_literals::operator""s;
  for (const RdfSyntax syntax : kAllSyntaxes) {
    const std::string good = "<http://x/a> <http://x/p> <http://x/b> .\n";
    EXPECT_THAT(error_of(good + "\0"s, syntax), StartsWith("facts: line 2, column 1: a NUL byte"));
    EXPECT_THAT(error_of(good + "<http://x/a> <http://x/p> \"\0\" ."s, syntax),
                HasSubstr("line 2, column 28: a NUL"));
    EXPECT_THAT(error_of(good + "# \0"s, syntax), HasSubstr("line 2, column 3: a NUL"));
    for (const char* bad : {"\xFF", "\xC3", "\xC3(", "\xED\xA0\x80", "\xC0\x80", "\xF4\x90\x80\x80"}) {
      for (const char* around : {"# ", "<http://x/", "<http://x/a> <http://x/p> \"", "_:"}) {
        EXPECT_THAT(error_of(good + around + bad, syntax),
                    AllOf(StartsWith("facts: line 2"), HasSubstr("UTF-8")))
            << rdf_name(syntax) << ": " << around;
      }
    }
    // What is wrong before it comes first.
    EXPECT_THAT(error_of("$ .\n\0"s, syntax), StartsWith("facts: line 1, column"));
  }
}

TEST(RdfReader, EscapesCannotBringIllegalCharactersIntoIris) {
  for (const RdfSyntax syntax : kAllSyntaxes) {
    for (const char* escape : {"\\u000A", "\\u0009", "\\u0022", "\\u005C", "\\uD800", "\\u0000", "\\u0020",
                               "\\u003E", "\\U00110000", "\\n"}) {
      EXPECT_THAT(error_of("<http://x/" + std::string(escape) + "> <http://x/p> <http://x/b> .", syntax),
                  StartsWith("facts: line 1, column"))
          << rdf_name(syntax) << escape;
    }
  }
}

// serd 0.30.16 never comes back from this one if it is read in pages.
TEST(RdfReader, WrongTriGEnds) {
  const std::string graph = "<http://e/g> { [ <http://a/p> <http://a/o> ] .}\n";
  EXPECT_THAT(error_of("{[ <http://a.}\n" + graph + graph + "#", RdfSyntax::kTriG), HasSubstr("line 1"));
}

TEST(RdfReader, NestingIsReadToADepthAndNotBeyond) {
  const auto repeated = [](const std::string& text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
  };
  const std::string open[] = {"[ :p ", "( ", "( [ :p "};
  const std::string close[] = {"] ", ") ", "] ) "};
  for (int kind = 0; kind < 3; ++kind) {
    const auto nested = [&](int depth) {
      return kPrefix + ":a :p " + repeated(open[kind], depth) + ":b " + repeated(close[kind], depth) + ".";
    };
    EXPECT_GE(read(nested(80), RdfSyntax::kTurtle).report.triples, 81U);
    EXPECT_THAT(error_of(nested(1'000'000), RdfSyntax::kTurtle), HasSubstr("nested too deep"));
    EXPECT_THAT(error_of(kPrefix + ":g {" + nested(1'000'000).substr(kPrefix.size()), RdfSyntax::kTriG),
                HasSubstr("nested too deep"));
  }
  for (const RdfSyntax syntax : kAllSyntaxes) {
    for (const char* bracket : {"[", "(", "[(", "{"}) {
      EXPECT_THAT(error_of(repeated(bracket, 1'000'000), syntax), StartsWith("facts: line 1")) << bracket;
    }
  }
}

TEST(RdfReader, LongListsAreNoNesting) {
  std::string list = kPrefix + ":a :p (";
  for (int i = 0; i < 100'000; ++i) list += " :element";
  EXPECT_EQ(read(list + " ) .", RdfSyntax::kTurtle).report.triples, 200'001U);
}

TEST(RdfReader, StatementsMayHaveAMebibyteAndNotMuchMore) {
  for (const RdfSyntax syntax : kAllSyntaxes) {
    const auto statement = [](std::size_t bytes) {
      return "<http://x/a> <http://x/p> <http://x/" + std::string(bytes, 'b') + "> .\n";
    };
    EXPECT_EQ(read(statement(1'000'000) + statement(1'000'000), syntax).report.triples, 2U);
    EXPECT_THAT(error_of(statement(10) + statement(1'200'000), syntax), StartsWith("facts: line 2"));
  }
}

TEST(RdfReader, EndlessTermsAreNotGathered) {
  for (const RdfSyntax syntax : kAllSyntaxes) {
    for (const char* start : {"<http://x/a> <http://x/p> \"", "<http://x/", "_:b", "#"}) {
      RepeatingSource source(start, std::string(1000, 'a'), 100'000'000);
      EXPECT_THAT(error_of(source, syntax), HasSubstr("1,048,576 bytes")) << rdf_name(syntax) << start;
      EXPECT_LT(source.position(), 4U << 20);
    }
  }
}

TEST(RdfReader, MemoryDoesNotGrowWithTheText) {
  const std::string iri = "<http://x/" + std::string(1000, 'a') + "> ";
  for (const RdfSyntax syntax : kAllSyntaxes) {
    RepeatingSource source("", iri + iri + iri + ".\n", std::uint64_t{iri.size() * 3 + 2} * 6'000);
    const struct mallinfo2 heap = ::mallinfo2();
    const std::size_t before = heap.uordblks + heap.hblkhd;
    EXPECT_EQ(read(source, syntax).report.triples, 6'000U);
    EXPECT_LT(source.most_memory(), before + (8U << 20)) << rdf_name(syntax);
  }
}

TEST(RdfReader, PlacesAndCharactersAreRightAcrossBlocks) {
  std::string text = kPrefix;
  std::uint64_t lines = 1;
  while (text.size() < 300'000) {
    text += ":Trøndelag :Straße :日本 .\n";
    ++lines;
  }
  const Read r = read(text, RdfSyntax::kTurtle);
  EXPECT_EQ(r.report.triples, lines - 1);
  EXPECT_TRUE(std::all_of(r.rows.begin(), r.rows.end(), [](const Row& row) {
    return row == Row("http://x/Trøndelag", "http://x/Straße", "http://x/日本");
  }));
  const auto place = [&](std::size_t column) {
    const std::string number = std::to_string(lines + 1);
    return "facts: line " + number.substr(0, number.size() - 3) + "," + number.substr(number.size() - 3) +
           ", column " + std::to_string(column) + ":";
  };
  EXPECT_THAT(error_of(text + ":a $", RdfSyntax::kTurtle), StartsWith(place(4)));
  EXPECT_THAT(error_of(text + ":a \xFF", RdfSyntax::kTurtle), StartsWith(place(4)));
}

TEST(RdfReader, TruncationAtEveryByteIsAnErrorOrAPrefix) {
  const std::string text =
      kPrefix + ":g { :a :p [ :q 5.0, \"é\"@en, '''x'''^^:t ] ; a ( :b _:c ) . :ø\\,d :p :e. } :f :p :h .";
  const std::vector<Row> all = read(text, RdfSyntax::kTriG, true).rows;
  ASSERT_EQ(all.size(), 11U);
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      const std::vector<Row> rows = read(text.substr(0, size), RdfSyntax::kTriG, true).rows;
      ASSERT_LT(rows.size(), all.size());
      EXPECT_TRUE(std::equal(rows.begin(), rows.end(), all.begin())) << text.substr(0, size);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    }
  }
}

TEST(RdfReader, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  for (const RdfSyntax syntax : kAllSyntaxes) {
    RepeatingSource source("", "<http://x/a> <http://x/p> <http://x/b> .\n", 100'000'000);
    try {
      read(source, syntax, false, {.cancel = &cancel});
      ADD_FAILURE() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
    }
    EXPECT_LT(source.position(), 4U << 20);
  }
}

TEST(RdfReader, FailuresOfTheSourceComeThrough) {
  std::string text;
  while (text.size() < 200'000) text += "<http://x/a> <http://x/p> <http://x/b> .\n";
  class FailingSource final : public ByteSource {
   public:
    explicit FailingSource(std::string_view text) : ByteSource("facts"), text_(text) {}
    std::size_t read(std::span<char> buffer) override {
      const std::size_t n = text_.copy(buffer.data(), buffer.size());
      text_.remove_prefix(n);
      if (n == 0) throw Error(ErrorCode::kIo, "disk on fire");
      return n;
    }
    std::uint64_t position() const override { return 0; }
    std::uint64_t size() const override { return 0; }

   private:
    std::string_view text_;
  };
  for (const RdfSyntax syntax : kAllSyntaxes) {
    FailingSource source(text);
    EXPECT_EQ(error_of(source, syntax), "not kBadInput: disk on fire");
  }
}

}  // namespace
}  // namespace greenkgc::graph
