#include "simd/text/find_bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

std::size_t plain_loop(std::string_view text, std::size_t begin, std::size_t end, const ByteTest& a,
                       const ByteTest& b) {
  const auto holds = [&](std::size_t at, const ByteTest& test) {
    const auto byte = static_cast<std::uint8_t>(text[at + test.offset]);
    return byte == test.either || byte == test.other;
  };
  for (std::size_t at = begin; at < end; ++at) {
    if (holds(at, a) && holds(at, b)) return at;
  }
  return kNowhere;
}

// Each test runs with every instruction set of this machine.
class FindBytes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

TEST_P(FindBytes, EachPlaceLengthAndOffset) {
  const CounterRandom random(3, 1);
  std::string text(400, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = "aAbBcd"[random.below(6, i)];
  const ByteTest a{.offset = 0, .either = 'a', .other = 'A'};
  for (const std::size_t offset : {0U, 1U, 5U, 70U}) {
    const ByteTest b{.offset = offset, .either = 'b', .other = 'B'};
    for (std::size_t begin = 0; begin < 70; ++begin) {
      for (std::size_t end = begin; end + offset <= text.size() && end < begin + 150; ++end) {
        ASSERT_EQ(find_bytes(text, begin, end, a, b), plain_loop(text, begin, end, a, b));
        ASSERT_EQ(find_bytes(text, begin, end, b, a), plain_loop(text, begin, end, b, a));
      }
    }
  }
}

TEST_P(FindBytes, AllByteValues) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  for (int byte = 0; byte < 255; ++byte) {
    const auto value = static_cast<std::uint8_t>(byte);
    const ByteTest first{0, value, value};
    const ByteTest next{1, static_cast<std::uint8_t>(value + 1), static_cast<std::uint8_t>(value + 1)};
    EXPECT_EQ(find_bytes(text, 0, 255, first, next), static_cast<std::size_t>(byte));
    EXPECT_EQ(find_bytes(text, 0, 255, first, {1, value, value}), kNowhere);
  }
}

// In memory of exactly the text's size, so that the sanitizer sees any byte read beside it.
TEST_P(FindBytes, NothingBesideTheTextIsRead) {
  for (std::size_t size = 1; size <= 200; ++size) {
    const std::vector<char> text(size, 'x');
    const ByteTest last{size / 2, 'y', 'z'};
    EXPECT_EQ(find_bytes({text.data(), size}, 0, size - size / 2, {0, 'x', 'x'}, last), kNowhere);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FindBytes, testing::ValuesIn(available_kernel_targets()));

}  // namespace
}  // namespace greenkgc::simd
