#include "simd/text/separators.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "greenkgc/error.h"
#include "simd/targets.h"

namespace greenkgc::simd {
namespace {

struct Found {
  std::vector<std::uint32_t> positions;
  bool has_nul = false;
  friend bool operator==(const Found&, const Found&) = default;
};

Found plain_loop(std::string_view text, char separator) {
  Found found;
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == separator || text[i] == '\n') found.positions.push_back(i);
    if (text[i] == '\0') found.has_nul = true;
  }
  return found;
}

Found by_kernel(std::string_view text, char separator) {
  Found found;
  found.has_nul = find_separators(text, separator, found.positions);
  return found;
}

// Each test runs with every instruction set of this machine.
class Separators : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

std::string random_text(std::size_t size, std::string_view alphabet, std::uint64_t seed) {
  const CounterRandom random(seed, 1);
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = alphabet[random.below(alphabet.size(), i)];
  return text;
}

TEST_P(Separators, RunsOnTheForcedTarget) {
  EXPECT_EQ(kernel_target(), GetParam());
}

TEST_P(Separators, EachSizeAndAlignment) {
  const std::string text = random_text(300, "ab\t\n,", 1);
  for (std::size_t begin = 0; begin < 70; ++begin) {
    for (std::size_t size = 0; size <= 200; ++size) {
      const std::string_view piece = std::string_view(text).substr(begin, size);
      ASSERT_EQ(by_kernel(piece, '\t'), plain_loop(piece, '\t')) << begin << " " << size;
      ASSERT_EQ(by_kernel(piece, ','), plain_loop(piece, ',')) << begin << " " << size;
    }
  }
}

// In memory of exactly the text's size, so that the sanitizer sees any byte read beside it.
TEST_P(Separators, NothingBesideTheTextIsRead) {
  for (std::size_t size = 0; size <= 200; ++size) {
    const std::vector<char> text(size, '\t');
    std::vector<std::uint32_t> positions;
    EXPECT_FALSE(find_separators(text, '\t', positions));
    EXPECT_EQ(positions.size(), size);
  }
}

TEST_P(Separators, AllByteValues) {
  std::string text;
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  }
  for (int separator = 0; separator < 256; ++separator) {
    const char s = static_cast<char>(separator);
    EXPECT_EQ(by_kernel(text, s), plain_loop(text, s)) << separator;
  }
  const std::string without_nul = text.substr(1, 255);
  EXPECT_EQ(by_kernel(without_nul, '\xFF'), plain_loop(without_nul, '\xFF'));
}

TEST_P(Separators, NulAtEachPlace) {
  for (const char filler : {'a', '\t', '\x01', '\x80', '\xFF'}) {
    for (std::size_t size = 1; size <= 140; ++size) {
      std::string text(size, filler);
      EXPECT_FALSE(by_kernel(text, '\t').has_nul);
      for (std::size_t at = 0; at < size; ++at) {
        text[at] = '\0';
        ASSERT_EQ(by_kernel(text, '\t'), plain_loop(text, '\t')) << size << " " << at;
        text[at] = filler;
      }
    }
  }
}

TEST_P(Separators, PositionsAreAppended) {
  std::vector<std::uint32_t> positions = {7};
  find_separators(std::string_view("a\tb\n"), '\t', positions);
  EXPECT_EQ(positions, (std::vector<std::uint32_t>{7, 1, 3}));
}

TEST_P(Separators, LongText) {
  const std::string text = random_text(1 << 20, "abcdefghijklmnopqrstuvwxyz\t\n", 2);
  EXPECT_TRUE(by_kernel(text, '\t') == plain_loop(text, '\t'));
}

INSTANTIATE_TEST_SUITE_P(Targets, Separators, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& target) { return target.param; });

TEST(KernelTargets, TheBestIsUsedUnlessForced) {
  const std::vector<std::string> targets = available_kernel_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(kernel_target(), targets.front());
  force_kernel_target(targets.back());
  EXPECT_EQ(kernel_target(), targets.back());
  EXPECT_EQ(available_kernel_targets(), targets);
  EXPECT_EQ(kernel_target(), targets.back());
  force_kernel_target("");
  EXPECT_EQ(kernel_target(), targets.front());
}

TEST(KernelTargets, UnknownNameIsRefusedAndChangesNothing) {
  const std::string before = kernel_target();
  try {
    force_kernel_target("ABACUS");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find(before), std::string::npos) << "lists what can be had";
  }
  EXPECT_EQ(kernel_target(), before);
}

}  // namespace
}  // namespace greenkgc::simd
