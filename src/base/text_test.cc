#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace greenkgc {
namespace {

// A plain call with a std::string would find std::quoted as well.
std::string quote(std::string_view text) {
  return in_quotes(text);
}

TEST(Text, LowerCaseChangesAsciiLettersAlone) {
  EXPECT_EQ(lower_case("RotatE-32 \xc3\x84@[`{"), "rotate-32 \xc3\x84@[`{");
}

TEST(WithCommas, GroupsByThree) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(272'115), "272,115");
  EXPECT_EQ(with_commas(1'234'567), "1,234,567");
  EXPECT_EQ(with_commas(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(CountOf, OneIsSingular) {
  EXPECT_EQ(count_of(0, "triple"), "0 triples");
  EXPECT_EQ(count_of(1, "triple"), "1 triple");
  EXPECT_EQ(count_of(2000, "triple"), "2,000 triples");
  EXPECT_EQ(count_of(2, "query"), "2 queries");
}

TEST(Quoted, PrintableTextStaysAsItIs) {
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote("Oslo, Norway ~"), "'Oslo, Norway ~'");
  EXPECT_EQ(quote("Ærøskøbing"), "'Ærøskøbing'");
  EXPECT_EQ(quote("東京 \xF0\x9F\x97\xBC"), "'東京 \xF0\x9F\x97\xBC'");
}

TEST(Quoted, ControlBytesAreEscaped) {
  EXPECT_EQ(quote("a\tb\nc\rd"), "'a\\tb\\nc\\rd'");
  EXPECT_EQ(quote(std::string("\0\x01\x1B[31m\x7F", 8)), "'\\x00\\x01\\x1b[31m\\x7f'");
}

// U+0080 to U+009F: terminals obey some of them as they obey an escape sequence.
TEST(Quoted, ControlCharactersOfTwoBytesAreEscaped) {
  EXPECT_EQ(quote("\xC2\x80\xC2\x9B\xC2\x9F"), "'\\xc2\\x80\\xc2\\x9b\\xc2\\x9f'");
  EXPECT_EQ(quote("\xC2\xA0"), "'\xC2\xA0'");
}

TEST(Quoted, InvalidUtf8IsEscaped) {
  EXPECT_EQ(quote("\x80"), "'\\x80'");                             // continuation without lead
  EXPECT_EQ(quote("\xC3"), "'\\xc3'");                             // cut off
  EXPECT_EQ(quote("\xE6\x9D"), "'\\xe6\\x9d'");                    // cut off
  EXPECT_EQ(quote("\xF0\x9F\x97x"), "'\\xf0\\x9f\\x97x'");         // not continued
  EXPECT_EQ(quote("\xC0\xAF"), "'\\xc0\\xaf'");                    // overlong '/'
  EXPECT_EQ(quote("\xE0\x80\xAF"), "'\\xe0\\x80\\xaf'");           // overlong '/'
  EXPECT_EQ(quote("\xF0\x80\x80\xAF"), "'\\xf0\\x80\\x80\\xaf'");  // overlong '/'
  EXPECT_EQ(quote("\xED\xA0\x80"), "'\\xed\\xa0\\x80'");           // surrogate
  EXPECT_EQ(quote("\xF4\x90\x80\x80"), "'\\xf4\\x90\\x80\\x80'");  // above U+10FFFF
  EXPECT_EQ(quote("\xFF\xFE"), "'\\xff\\xfe'");
}

TEST(Quoted, LimitsOfUtf8AreValid) {
  for (const char* text : {"\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBD",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(quote(text), std::string("'") + text + "'");
  }
}

TEST(Quoted, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(quote(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(quote(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(quote(std::string(100'000'000, 'x')), "'" + std::string(80, 'x') + "...'");
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "ö";
  const std::string cut = quote(umlauts);
  EXPECT_EQ(cut.substr(cut.size() - 6), "ö...'");
  EXPECT_LE(cut.size(), 90U);
}

TEST(ParseU64, DigitsOnly) {
  std::uint64_t value = 7;
  EXPECT_TRUE(parse_u64("0", value));
  EXPECT_EQ(value, 0U);
  EXPECT_TRUE(parse_u64("007", value));
  EXPECT_EQ(value, 7U);
  EXPECT_TRUE(parse_u64("18446744073709551615", value));
  EXPECT_EQ(value, ~std::uint64_t{0});
  for (const char* text : {"", " ", "-1", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "18446744073709551616",
                           "99999999999999999999999999", "١"}) {
    value = 7;
    EXPECT_FALSE(parse_u64(text, value)) << text;
    EXPECT_EQ(value, 7U) << text;
  }
}

TEST(ParseI64, OneMinusAllowed) {
  std::int64_t value = 7;
  EXPECT_TRUE(parse_i64("-9223372036854775808", value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(parse_i64("9223372036854775807", value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(parse_i64("-0", value));
  EXPECT_EQ(value, 0);
  for (const char* text :
       {"", "-", "--1", "+1", "- 1", "1-", "9223372036854775808", "-9223372036854775809"}) {
    value = 7;
    EXPECT_FALSE(parse_i64(text, value)) << text;
    EXPECT_EQ(value, 7) << text;
  }
}

TEST(ParseDouble, FiniteDecimal) {
  double value = 7;
  EXPECT_TRUE(parse_double("-1.5e3", value));
  EXPECT_EQ(value, -1500.0);
  EXPECT_TRUE(parse_double(".5", value));
  EXPECT_EQ(value, 0.5);
  EXPECT_TRUE(parse_double("1.7976931348623157e308", value));
  EXPECT_EQ(value, std::numeric_limits<double>::max());
  for (const char* text : {"", ".", "e5", "1e", "inf", "-inf", "nan", "NaN", "infinity", "1e400", "+1", " 1",
                           "1 ", "1,5", "0x1p3"}) {
    value = 7;
    EXPECT_FALSE(parse_double(text, value)) << text;
    EXPECT_EQ(value, 7.0) << text;
  }
}

}  // namespace
}  // namespace greenkgc
