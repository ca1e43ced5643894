#include "greenkgc/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <random>
#include <set>

#include "base/letter_cases.h"
#include "greenkgc/error.h"
#include "greenkgc/facts.h"
#include "greenkgc/model_info.h"
#include "support/random_model.h"

namespace greenkgc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model whose entities have these labels.
class Labelled {
 public:
  explicit Labelled(std::vector<std::string> labels) : labels_(std::move(labels)) {
    const RandomModel base({.entities = static_cast<std::uint32_t>(labels_.size()), .relations = 2});
    const model::NamedDecisions named = model::read_model(base.path());
    graph::Vocabulary entities;
    graph::Vocabulary relations;
    for (const std::string& label : labels_) entities.intern(label);
    for (const char* label : {"Capital_Of", "capital"}) relations.intern(label);
    const auto path = folder_.path() / "m.gkgc";
    model::write_model(path, {named.decisions, entities, relations, {}, {}});
    model_.emplace(Model::open(path));
  }

  const Model& model() const { return *model_; }
  const std::vector<std::string>& labels() const { return labels_; }

  std::vector<std::string> found(std::string_view text, LabelMatch match, std::size_t limit = 1000) const {
    const auto hits = find_entities(*model_, {.text = text, .match = match, .limit = limit}, Context{});
    std::vector<std::string> names;
    for (const EntityId id : hits.ids) names.emplace_back(model_->label(id));
    return names;
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> labels_;
  std::optional<Model> model_;
};

// Whether the text stands there, by trying each way to write each character.
bool stands_at(std::string_view label, std::size_t at, std::string_view text) {
  for (const auto& cases : letter_cases(text)) {
    bool same = false;
    for (const std::string& bytes : cases) {
      if (!same && label.substr(at, bytes.size()) == bytes) {
        same = true;
        at += bytes.size();
        break;
      }
    }
    if (!same) return false;
  }
  return true;
}

std::vector<std::string> expected(const Labelled& files, std::string_view text, LabelMatch match) {
  std::vector<std::string> names;
  for (const std::string& label : files.labels()) {
    const std::size_t last = match == LabelMatch::kPrefix ? 0 : label.size();
    for (std::size_t at = 0; at <= last; ++at) {
      if (stands_at(label, at, text)) {
        names.push_back(label);
        break;
      }
    }
  }
  if (match == LabelMatch::kPrefix) std::sort(names.begin(), names.end());
  return names;
}

TEST(Search, FindsWhateverTheCase) {
  const Labelled files(
      {"norway", "Norway", "NORTH", "Oslo", "Élan", "élan vital", "Москва", "\xFFodd", "ino"});
  EXPECT_THAT(files.found("nor", LabelMatch::kPrefix), ElementsAre("NORTH", "Norway", "norway"));
  EXPECT_THAT(files.found("ÉLAN", LabelMatch::kPrefix), ElementsAre("Élan", "élan vital"));
  EXPECT_THAT(files.found("ОСК", LabelMatch::kSubstring), ElementsAre("Москва"));
  EXPECT_THAT(files.found("NO", LabelMatch::kSubstring), ElementsAre("norway", "Norway", "NORTH", "ino"));
  EXPECT_THAT(files.found("\xFFO", LabelMatch::kPrefix), ElementsAre("\xFFodd"));
  EXPECT_THAT(files.found("norwayx", LabelMatch::kPrefix), IsEmpty());
  // The end of one label and the beginning of the next are no text.
  EXPECT_THAT(files.found("yn", LabelMatch::kSubstring), IsEmpty());
  EXPECT_EQ(files.found("", LabelMatch::kSubstring), files.labels());
  EXPECT_EQ(files.found("", LabelMatch::kPrefix).size(), files.labels().size());
  const auto relations = find_relations(files.model(), {.text = "CAPITAL"}, Context{});
  EXPECT_THAT(relations.ids, ElementsAre(RelationId{0}, RelationId{1}));
}

TEST(Search, SaysWhetherThereAreMore) {
  const Labelled files({"a1", "A2", "a3", "b", "xa"});
  for (const LabelMatch match : {LabelMatch::kPrefix, LabelMatch::kSubstring}) {
    const std::size_t all = match == LabelMatch::kPrefix ? 3 : 4;
    for (std::size_t limit = 0; limit <= 5; ++limit) {
      const auto hits =
          find_entities(files.model(), {.text = "A", .match = match, .limit = limit}, Context{});
      EXPECT_EQ(hits.ids.size(), std::min(limit, all));
      EXPECT_EQ(hits.truncated, limit < all);
    }
  }
}

TEST(Search, AgreesWithTryingAllLabels) {
  std::mt19937 random(11);
  const std::vector<std::string> alphabet = {"a", "A", "b", "B", "é",    "É", "ſ",
                                             "s", "Д", "д", "ǅ", "\xFF", " "};
  const auto word = [&](std::size_t most) {
    std::string text;
    for (std::size_t length = 1 + random() % most; length > 0; --length)
      text += alphabet[random() % alphabet.size()];
    return text;
  };
  std::vector<std::string> labels;
  while (labels.size() < 300) {
    std::string label = word(9);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(std::move(label));
  }
  const Labelled files(labels);
  for (int i = 0; i < 400; ++i) {
    const std::string text = word(4);
    for (const LabelMatch match : {LabelMatch::kPrefix, LabelMatch::kSubstring})
      ASSERT_EQ(files.found(text, match), expected(files, text, match)) << text;
  }
}

TEST(Search, ObeysCancellation) {
  const Labelled files({"a", "b"});
  const std::atomic<bool> cancel{true};
  EXPECT_THROW(find_entities(files.model(), {.text = "a"}, {.cancel = &cancel}), Error);
  EXPECT_THROW(
      find_entities(files.model(), {.text = "a", .match = LabelMatch::kSubstring}, {.cancel = &cancel}),
      Error);
}

TEST(FactsAround, SharesTheLimitBetweenBothDirections) {
  const RandomModel files({.entities = 20, .relations = 3}, 200);
  const Model model = files.open();
  for (std::uint32_t e = 0; e < 20; ++e) {
    const EntityId entity{e};
    std::vector<Triple> known = files.facts();
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const auto as_head = static_cast<std::size_t>(
        std::count_if(known.begin(), known.end(), [&](const Triple& f) { return f.head == entity; }));
    const auto as_tail = static_cast<std::size_t>(std::count_if(
        known.begin(), known.end(), [&](const Triple& f) { return f.tail == entity && f.head != entity; }));
    for (const std::size_t limit : {0U, 1U, 5U, 12U, 1000U}) {
      const FactsAround around = facts_around(model, entity, limit, Context{});
      EXPECT_EQ(around.as_head, as_head);
      EXPECT_EQ(around.as_tail, as_tail);
      EXPECT_EQ(around.facts.size(), std::min(limit, as_head + as_tail));
      EXPECT_EQ(around.truncated(), limit < as_head + as_tail);
      std::size_t heads = 0;
      for (const Triple& fact : around.facts) {
        EXPECT_TRUE(files.is_known(fact) && (fact.head == entity || fact.tail == entity));
        EXPECT_TRUE(holds_fact(model, fact, Context{}));
        heads += fact.head == entity ? 1 : 0;
      }
      EXPECT_GE(heads, std::min(as_head, limit - limit / 2));
      EXPECT_GE(around.facts.size() - heads, std::min(as_tail, limit / 2));
      EXPECT_EQ(std::set(around.facts.begin(), around.facts.end()).size(), around.facts.size());
    }
  }
  EXPECT_THROW(facts_around(model, EntityId{20}, 1, Context{}), Error);
  EXPECT_THROW(holds_fact(model, {EntityId{0}, RelationId{3}, EntityId{0}}, Context{}), Error);
}

TEST(ModelInfo, CountsWhatTheFileHas) {
  const RandomModel files({.entities = 20, .relations = 3, .trees = 5}, 50);
  const ModelInfo info = model_info(files.open());
  EXPECT_EQ(info.entities, 20U);
  EXPECT_EQ(info.relations, 3U);
  EXPECT_EQ(info.facts, std::set(files.facts().begin(), files.facts().end()).size());
  EXPECT_EQ(info.embedding, "rotate");
  EXPECT_EQ(info.stages, 1);
  EXPECT_EQ(info.trees, info.groups * 5U);
}

}  // namespace
}  // namespace greenkgc
