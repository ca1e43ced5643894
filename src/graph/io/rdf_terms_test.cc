#include "graph/io/rdf_terms.h"

#include <gtest/gtest.h>

#include <string>

namespace greenkgc::graph {
namespace {

std::string own_iri(std::string_view label) {
  std::string iri;
  append_own_iri(iri, label);
  return iri;
}

std::string literal(const Literal& parts) {
  std::string label;
  append_literal(label, parts);
  return label;
}

TEST(RdfTerms, OwnIrisEncodeAllButUnreservedBytes) {
  EXPECT_EQ(own_iri("Norway"), "urn:greenkgc:Norway");
  EXPECT_EQ(own_iri("a-b.c_d~9"), "urn:greenkgc:a-b.c_d~9");
  EXPECT_EQ(own_iri("/m/0 1%ø\xFF"), "urn:greenkgc:%2Fm%2F0%201%25%C3%B8%FF");
}

TEST(RdfTerms, EveryByteOfALabelComesBack) {
  std::string label;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '\t' && byte != '\n') label += static_cast<char>(byte);
  }
  std::string back;
  ASSERT_TRUE(decode_own_iri(own_iri(label), back));
  EXPECT_EQ(back, label);
}

TEST(RdfTerms, IrisThatWeNeverWriteAreNotDecoded) {
  std::string label;
  for (const char* iri :
       {"urn:greenkgc:", "urn:greenkgc", "URN:greenkgc:x", "http://x", "urn:greenkgc:a%2fb",
        "urn:greenkgc:%41", "urn:greenkgc:a/b", "urn:greenkgc:%0A", "urn:greenkgc:%09", "urn:greenkgc:%00",
        "urn:greenkgc:%", "urn:greenkgc:%2", "urn:greenkgc:%2G", "urn:greenkgc:ø"}) {
    EXPECT_FALSE(decode_own_iri(iri, label)) << iri;
  }
}

TEST(RdfTerms, LiteralsHaveOneForm) {
  EXPECT_EQ(literal({"Oslo", "en", ""}), R"("Oslo"@en)");
  EXPECT_EQ(literal({"5", "", "http://x#int"}), R"("5"^^<http://x#int>)");
  EXPECT_EQ(literal({"x", "", "http://www.w3.org/2001/XMLSchema#string"}), R"("x")");
  EXPECT_EQ(literal({std::string_view("\0\t\n\r\b\f\"\\\x01\x7Fø'", 13), "", ""}),
            R"("\u0000\t\n\r\b\f\"\\\u0001\u007Fø'")");
}

TEST(RdfTerms, OnlyThatFormIsALiteral) {
  for (const char* label : {R"("")", R"("x")", R"("x"@en)", R"("x"@en-GB-1996)", R"("x"^^<http://x#t>)",
                            R"("\t\n\r\b\f\"\\")", R"("\u0000\u001F\u007F")", R"("Tromsø")"}) {
    EXPECT_TRUE(is_literal(label)) << label;
  }
  for (const char* label : {"",
                            "x",
                            R"(")",
                            R"("x)",
                            R"("x"y)",
                            R"("x"@)",
                            R"("x"@en-)",
                            R"("x"@1)",
                            R"("x"@en@de)",
                            R"("x"^^)",
                            R"("x"^^<>)",
                            R"("x"^^<t>)",
                            R"("x"^^<http://x y>)",
                            R"("x"^^<http://www.w3.org/2001/XMLSchema#string>)",
                            R"("a"b")",
                            R"("\'")",
                            R"("\u0041")",
                            R"("\u000A")",
                            R"("\u001f")",
                            R"("\U00000001")",
                            R"("\)",
                            R"("\")",
                            R"("\u00)",
                            "\"\t\"",
                            "\"\x01\"",
                            "\"\xFF\""}) {
    EXPECT_FALSE(is_literal(label)) << label;
  }
}

TEST(RdfTerms, BlankNodesHaveAName) {
  for (const char* label : {"_:b", "_:0", "_:_", "_:a.b-c", "_:genid12"})
    EXPECT_TRUE(is_blank_node(label)) << label;
  for (const char* label : {"", "_", "_:", "_:.", "_:a.", "_:-", "_:a b", "_:a:b", "_:ø", "b", "_b"}) {
    EXPECT_FALSE(is_blank_node(label)) << label;
  }
}

}  // namespace
}  // namespace greenkgc::graph
