#include "graph/io/line_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> all_lines(std::string_view text) {
  const auto source = memory_source(text, "memory");
  Lines lines(*source);
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  return all;
}

std::string error_of(std::string_view text) {
  try {
    all_lines(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(Lines, EndsAreTakenOff) {
  EXPECT_THAT(all_lines("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(all_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(all_lines(""), ElementsAre());
  EXPECT_THAT(all_lines("\n"), ElementsAre(""));
  EXPECT_THAT(all_lines("a\rb\r\n"), ElementsAre("a\rb"));
}

TEST(Lines, ByteOrderMarkIsDroppedOnlyAtTheStart) {
  EXPECT_THAT(all_lines("\xEF\xBB\xBF"
                        "a\n\xEF\xBB\xBF"
                        "b\n"),
              ElementsAre("a",
                          "\xEF\xBB\xBF"
                          "b"));
  EXPECT_THAT(all_lines("\xEF\xBB"), ElementsAre("\xEF\xBB"));
}

TEST(Lines, SurviveBlockBoundaries) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 100'000; ++i) {
    expected.push_back(std::string(static_cast<std::size_t>(i % 37), 'x') + std::to_string(i));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(all_lines(text), expected);
}

TEST(Lines, LongLineIsRefusedWithItsNumber) {
  const std::string longest(kMaxLineBytes, 'x');
  EXPECT_EQ(all_lines("a\n" + longest + "\nb\n").size(), 3U);
  EXPECT_THAT(error_of("a\n" + longest + "x\nb\n"),
              HasSubstr("memory: line 2: is longer than 1,048,576 bytes"));
  EXPECT_THAT(error_of("a\nb\n" + std::string(20 * kMaxLineBytes, 'x')), HasSubstr("line 3"));
  EXPECT_THAT(error_of(std::string(300'000, '\n') + longest + "xx"), HasSubstr("line 300,001"));
}

TEST(Lines, NulByteIsRefusedWithItsPlace) {
  EXPECT_THAT(error_of(std::string("a\nbc\0d\n", 7)), HasSubstr("line 2: byte 3 of the line is NUL"));
}

}  // namespace
}  // namespace greenkgc::graph
