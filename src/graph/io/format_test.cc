#include "graph/io/format.h"

#include <gtest/gtest.h>

namespace greenkgc::graph {
namespace {

std::string understood(const char* name, std::string_view head, std::string_view requested = "auto") {
  return describe(detect_format(name, head, requested), Naming::kNewLabels);
}

TEST(Format, ByContent) {
  EXPECT_EQ(understood("train.txt", "a\tr\tb\n"), "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("train.txt", "\xEF\xBB\xBF\r\na b c\tr\tb\r\n"),
            "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("train.txt", "a\tr\tb\t0.5\n"),
            "tab-separated labels, order head relation tail weight");
  EXPECT_EQ(understood("x", "a,r,b\n"), "comma-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "a r b\n"), "space-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "a;r;b\n"), "semicolon-separated labels, order head relation tail");
  EXPECT_EQ(understood("train2id.txt", "2\n0 1 5\n3 4 1\n"), "OpenKE ids, order head tail relation");
  EXPECT_EQ(understood("x.txt", "12\n"), "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "<http://a> <http://r> <http://b> .\n"), "N-Triples");
  EXPECT_EQ(understood("x", "# words\n_:a <http://r> \"a b c d\" .\n"), "N-Triples");
  EXPECT_EQ(understood("x", "<http://a> <http://r> <http://b> <http://g> .\n"), "N-Quads");
  EXPECT_EQ(understood("x", "@prefix : <http://a> .\n:a :b :c .\n"), "Turtle");
  EXPECT_EQ(understood("x", "PREFIX : <http://a>\n:g {\n:a :b :c .\n}\n"), "TriG");
}

TEST(Format, FactsThatLookAlmostLikeRdf) {
  EXPECT_EQ(understood("x", "_:b1\trel\tAcme Inc.\n"), "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "<a>\trel\tAcme Inc.\n"), "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "base\tis\tacid\n"), "tab-separated labels, order head relation tail");
  EXPECT_EQ(understood("x", "_:b1<http://r><http://b>.\n"), "N-Triples");
  EXPECT_EQ(understood("x", "_:b1\t<http://r>\t<http://b>\t.\n"), "N-Triples");
  EXPECT_EQ(understood("x", "prefix ex: <http://a>\nex:a ex:b ex:c .\n"), "Turtle");
  EXPECT_EQ(understood("x", "Base <http://a>\n<a> <b> <c> .\n"), "Turtle");
}

TEST(Format, SeparatorsInsideQuotesDoNotCount) {
  EXPECT_EQ(understood("a.csv", "\"x; y; z; w\",r,b\n"), "comma-separated labels, order head relation tail");
  EXPECT_EQ(understood("a.csv", "\"x, y, z, w\";r;b\n"),
            "semicolon-separated labels, order head relation tail");
}

TEST(Format, NameComesFirst) {
  EXPECT_EQ(understood("a.nt.gz", "a\tb\tc\n"), "N-Triples");
  EXPECT_EQ(understood("a.ttl", ""), "Turtle");
  EXPECT_EQ(understood("a.nq.zst", ""), "N-Quads");
  EXPECT_EQ(understood("a.trig", ""), "TriG");
  EXPECT_EQ(understood("a.csv", "a b,r,c\n"), "comma-separated labels, order head relation tail");
  EXPECT_EQ(understood("a.csv", "a, b;r;c\n"), "semicolon-separated labels, order head relation tail");
  EXPECT_EQ(understood("a.tsv", "a,b,c\n"), "tab-separated labels, order head relation tail");
}

TEST(Format, RequestBeatsName) {
  EXPECT_EQ(understood("a.nt", "a,b,c\n", "csv"), "comma-separated labels, order head relation tail");
  EXPECT_EQ(understood("a.csv", "a,b,c\n", "ttl"), "Turtle");
}

TEST(Format, HeaderGivesOrder) {
  EXPECT_EQ(understood("a.csv", "Subject,Object,Predicate\na,b,c\n"),
            "comma-separated labels with a header, order head tail relation");
  EXPECT_EQ(understood("a.tsv", "head\trelation\ttail\tweight\n"),
            "tab-separated labels with a header, order head relation tail weight");
  EXPECT_EQ(understood("a.tsv", "head\trelation\tking\n"), "tab-separated labels, order head relation tail");
}

}  // namespace
}  // namespace greenkgc::graph
