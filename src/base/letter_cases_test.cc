#include "base/letter_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace greenkgc {
namespace {

using testing::ElementsAre;

TEST(LetterCases, OfAsciiAndOtherLetters) {
  EXPECT_THAT(letter_cases("aZ1 "),
              ElementsAre(ElementsAre("A", "a"), ElementsAre("Z", "z"), ElementsAre("1"), ElementsAre(" ")));
  EXPECT_THAT(letter_cases("éД"), ElementsAre(ElementsAre("É", "é"), ElementsAre("Д", "д")));
  EXPECT_THAT(letter_cases("東😀"), ElementsAre(ElementsAre("東"), ElementsAre("😀")));
}

TEST(LetterCases, ThreeFormsAndFormsOfOtherLengths) {
  // U+01C5 is between U+01C4 and U+01C6; the long s is an s; the Kelvin sign is a k.
  EXPECT_THAT(letter_cases("ǅ"), ElementsAre(ElementsAre("Ǆ", "ǅ", "ǆ")));
  EXPECT_THAT(letter_cases("ſ"), ElementsAre(ElementsAre("S", "s", "ſ")));
  EXPECT_THAT(letter_cases("\u212A"), ElementsAre(ElementsAre("K", "k", "\u212A")));
}

TEST(LetterCases, BytesThatAreNoTextStandForThemselves) {
  EXPECT_THAT(letter_cases("\xFFx\xC3"),
              ElementsAre(ElementsAre("\xFF"), ElementsAre("X", "x"), ElementsAre("\xC3")));
  EXPECT_THAT(letter_cases(""), ElementsAre());
}

}  // namespace
}  // namespace greenkgc
