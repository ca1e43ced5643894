#include "graph/vocabulary.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace greenkgc::graph {
namespace {

TEST(Vocabulary, IdsFollowFirstAppearance) {
  Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.intern("Norway"), 0U);
  EXPECT_EQ(vocabulary.intern("Sweden"), 1U);
  EXPECT_EQ(vocabulary.intern("Norway"), 0U);
  EXPECT_EQ(vocabulary.size(), 2U);
  EXPECT_EQ(vocabulary.label(1), "Sweden");
  EXPECT_EQ(vocabulary.find("Sweden"), 1U);
  EXPECT_EQ(vocabulary.find("Swede"), std::nullopt);
  EXPECT_EQ(vocabulary.find(""), std::nullopt);
}

TEST(Vocabulary, EmptyOneFindsNothing) {
  const Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.size(), 0U);
  EXPECT_EQ(vocabulary.find("x"), std::nullopt);
}

TEST(Vocabulary, LabelsAreBytes) {
  Vocabulary vocabulary;
  const std::string nasty = "\xFF\x01 \"a\"\r\xC3";
  EXPECT_EQ(vocabulary.intern(nasty), 0U);
  EXPECT_EQ(vocabulary.label(0), nasty);
  EXPECT_EQ(vocabulary.intern(nasty.substr(1)), 1U);
}

// Against std::map, through many doublings, one by one and in batches of every kind.
TEST(Vocabulary, AgreesWithMap) {
  std::mt19937 random(1);
  std::map<std::string, std::uint32_t> expected;
  Vocabulary single;
  Vocabulary batched;
  for (int batch = 0; batch < 300; ++batch) {
    std::string text;
    std::vector<Vocabulary::Token> tokens;
    std::vector<std::uint32_t> wanted;
    const int size = static_cast<int>(random() % 200);
    for (int i = 0; i < size; ++i) {
      const std::string label = std::to_string(random() % (1 + 200 * static_cast<unsigned>(batch)));
      const auto id = expected.emplace(label, static_cast<std::uint32_t>(expected.size())).first->second;
      wanted.push_back(id);
      EXPECT_EQ(single.intern(label), id);
      tokens.push_back({static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(label.size()),
                        Vocabulary::hash(label)});
      text += label;
    }
    std::vector<std::uint32_t> ids(tokens.size());
    batched.intern(text.data(), tokens, ids.data());
    ASSERT_EQ(ids, wanted);
  }
  ASSERT_EQ(single.size(), expected.size());
  ASSERT_EQ(batched.size(), expected.size());
  for (const auto& [label, id] : expected) {
    EXPECT_EQ(batched.find(label), id);
    EXPECT_EQ(batched.label(id), label);
  }
}

TEST(Vocabulary, MemoryIsLabelsAndALittle) {
  Vocabulary vocabulary;
  for (int i = 0; i < 100'000; ++i) vocabulary.intern("Q" + std::to_string(i));
  EXPECT_LT(vocabulary.bytes(), 100'000U * 60);
}

}  // namespace
}  // namespace greenkgc::graph
