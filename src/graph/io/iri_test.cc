#include "graph/io/iri.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace greenkgc::graph {
namespace {

using Cases = std::vector<std::pair<const char*, const char*>>;

// RFC 3986, sections 5.4.1 and 5.4.2.
TEST(Iri, ReferencesResolveAsInTheStandard) {
  const Cases cases = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"g?y#s", "http://a/b/c/g?y#s"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"g#s/./x", "http://a/b/c/g#s/./x"},
      {"g#s/../x", "http://a/b/c/g#s/../x"},
      {"http:g", "http:g"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(resolve_iri("http://a/b/c/d;p?q", reference), expected) << reference;
  }
}

TEST(Iri, BasesWithoutPathResolveToo) {
  EXPECT_EQ(resolve_iri("http://a", "g"), "http://a/g");
  EXPECT_EQ(resolve_iri("http://a?q", "g"), "http://a/g");
  EXPECT_EQ(resolve_iri("http://?", "g"), "http:///g");
  EXPECT_EQ(resolve_iri("http://a", ""), "http://a");
  EXPECT_EQ(resolve_iri("urn:x", "g"), "urn:g");
  EXPECT_EQ(resolve_iri("urn:x", "#f"), "urn:x#f");
}

TEST(Iri, OnlyAbsoluteOnesOfLegalCharactersPass) {
  for (const char* iri :
       {"http://a/b?c#d", "a:b", "a:", "urn:x:y", "tag+x-y.z:1", "http://a/Tromsø", "x:%zz", "x:'"}) {
    EXPECT_TRUE(is_absolute_iri(iri)) << iri;
  }
  for (const char* text : {"",      ":",    "a",    "1a:b",   "_:b",    "a b:c",         "/m/01", "é:x",
                           "x:a b", "x:<",  "x:>",  "x:\"",   "x:{",    "x:}",           "x:|",   "x:^",
                           "x:`",   "x:\\", "x:\n", "x:\x01", "x:\xFF", "x:\xED\xA0\x80"}) {
    EXPECT_FALSE(is_absolute_iri(text)) << text;
  }
}

}  // namespace
}  // namespace greenkgc::graph
