#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "greenkgc/error.h"
#include "support/random_model.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

constexpr rank::DecisionsSize kSize = {.entities = 150, .relations = 6, .trees = 5};

// The margin, tree by tree.
float walked(const Model& model, const Triple& fact) {
  const model::Decisions& decisions = model.impl().decisions;
  const auto& trees = decisions.groups[decisions.group_of[index(fact.relation)]].trees;
  auto margin = static_cast<float>(trees.base_margin);
  for (const trees::Tree& tree : trees.trees)
    margin += tree.nodes[leaf_of(tree, decisions.tables, fact)].value;
  return margin;
}

// The curves of RandomModel.
double calibrated(const Model& model, const Triple& fact, float margin) {
  const double top = model.impl().decisions.group_of[index(fact.relation)] % 2 == 0 ? 0.9 : 0.3;
  return 0.1 + (top - 0.1) * (static_cast<double>(margin) + 8) / 16;
}

std::vector<Triple> candidates(const Model& model, const Question& question) {
  std::vector<Triple> facts;
  const std::uint32_t count =
      question.relation == kNoRelation ? model.relation_count() : model.entity_count();
  for (std::uint32_t c = 0; c < count; ++c)
    facts.push_back({question.head == kNoEntity ? EntityId{c} : question.head,
                     question.relation == kNoRelation ? RelationId{c} : question.relation,
                     question.tail == kNoEntity ? EntityId{c} : question.tail});
  return facts;
}

// All candidates, sorted.
std::vector<Triple> expected(const RandomModel& files, const Model& model, const Question& question,
                             bool include_known) {
  std::vector<Triple> facts = candidates(model, question);
  if (!include_known) std::erase_if(facts, [&](const Triple& fact) { return files.is_known(fact); });
  std::stable_sort(facts.begin(), facts.end(), [&](const Triple& a, const Triple& b) {
    const float of_a = walked(model, a);
    const float of_b = walked(model, b);
    if (question.relation == kNoRelation) return calibrated(model, a, of_a) > calibrated(model, b, of_b);
    return of_a > of_b;
  });
  return facts;
}

std::vector<Question> some_questions() {
  std::vector<Question> questions;
  for (std::uint32_t i = 0; i < 40; ++i) {
    questions.push_back({.head = EntityId{i}, .relation = RelationId{i % 6}});
    questions.push_back({.relation = RelationId{i % 6}, .tail = EntityId{i}});
    questions.push_back({.head = EntityId{i}, .tail = EntityId{149 - i}});
  }
  return questions;
}

TEST(Predict, EqualsASortOfAllCandidates) {
  const RandomModel files(kSize, 4000);
  const Model model = files.open();
  const auto questions = some_questions();
  for (const bool include_known : {false, true}) {
    const auto all =
        model.predict(questions, {.top_k = 0, .include_known = include_known}, Context{.threads = 2});
    const auto few = model.predict(questions, {.top_k = 4, .include_known = include_known}, Context{});
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const auto facts = expected(files, model, questions[i], include_known);
      ASSERT_EQ(all[i].size(), facts.size());
      ASSERT_EQ(few[i].size(), std::min<std::size_t>(4, facts.size()));
      for (std::size_t j = 0; j < facts.size(); ++j) {
        ASSERT_EQ(all[i][j].fact, facts[j]) << i << ' ' << j;
        EXPECT_EQ(all[i][j].margin, walked(model, facts[j]));
        EXPECT_NEAR(all[i][j].probability, calibrated(model, facts[j], all[i][j].margin), 1e-6);
        EXPECT_EQ(all[i][j].known, files.is_known(facts[j]));
        if (j < few[i].size()) {
          EXPECT_EQ(few[i][j].fact, facts[j]);
        }
      }
    }
  }
}

TEST(Predict, SingleQuestionsAreThoseOfABatch) {
  const RandomModel files(kSize);
  const Model model = files.open();
  const PredictOptions options{.top_k = 3};
  const std::vector<Question> questions = {{.head = EntityId{1}, .relation = RelationId{2}},
                                           {.relation = RelationId{2}, .tail = EntityId{1}},
                                           {.head = EntityId{1}, .tail = EntityId{4}}};
  const auto batch = model.predict(questions, options, Context{});
  const std::vector<std::vector<Answer>> single = {
      model.predict_tails(EntityId{1}, RelationId{2}, options, Context{}),
      model.predict_heads(RelationId{2}, EntityId{1}, options, Context{}),
      model.predict_relations(EntityId{1}, EntityId{4}, options, Context{})};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(single[i].size(), 3U);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(single[i][j].fact, batch[i][j].fact);
  }
}

TEST(Predict, AModelWithoutFactsSaysSo) {
  const RandomModel files(kSize, 0);
  std::vector<std::string> said;
  Context context;
  context.log = [&](LogLevel, std::string_view line) { said.emplace_back(line); };
  const Model model = files.open();
  EXPECT_FALSE(model.has_facts());
  EXPECT_EQ(model.predict_tails(EntityId{0}, RelationId{0}, {.top_k = 0}, context).size(), 150U);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("cannot be left out"));
}

class PredictErrors : public testing::Test {
 protected:
  template <class Call>
  std::string error_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string error_of(const Question& question) {
    return error_of([&] { model_.predict({&question, 1}, {}, Context{}); });
  }
  std::string error_of_file(const std::string& text) {
    files_.folder().write("q.tsv", text);
    return error_of([&] {
      answer_file(
          model_, files_.folder().path() / "q.tsv", {}, [](const auto&, const auto&) {}, Context{});
    });
  }

  const RandomModel files_{kSize};
  const Model model_ = files_.open();
};

TEST_F(PredictErrors, WrongQuestions) {
  EXPECT_THAT(error_of(Question{.head = EntityId{1}}), HasSubstr("must leave out one of"));
  EXPECT_THAT(error_of(Question{EntityId{1}, RelationId{1}, EntityId{1}}),
              HasSubstr("must leave out one of"));
  EXPECT_THAT(error_of(Question{.head = EntityId{150}, .relation = RelationId{1}}),
              HasSubstr("entity 150 of 150"));
  EXPECT_THAT(error_of(Question{.relation = RelationId{6}, .tail = EntityId{1}}),
              HasSubstr("relation 6 of 6"));
}

TEST_F(PredictErrors, UnknownLabelsComeWithNearOnes) {
  EXPECT_THAT(error_of([&] { model_.entity("E 149"); }), HasSubstr("no entity 'E 149'; did you mean 'e149'"));
  EXPECT_EQ(error_of([&] { model_.relation("zzzzzzzz"); }), "the model has no relation 'zzzzzzzz'");
  EXPECT_EQ(model_.entity("e12"), EntityId{12});
}

TEST_F(PredictErrors, WrongLinesOfAFile) {
  EXPECT_THAT(error_of_file("e1\tr1\t?\n\ne1 r1 ?\n"),
              HasSubstr("q.tsv: line 3: must be head, relation and tail"));
  EXPECT_THAT(error_of_file("e1\tr1\te2\n"), HasSubstr("line 1: must have a ? in one column"));
  EXPECT_THAT(error_of_file("?\tr1\t?\n"), HasSubstr("but has it in 2"));
  EXPECT_THAT(error_of_file("e1\tr1\t?\ne1\tr17\t?"), HasSubstr("line 2: the model has no relation 'r17'"));
  EXPECT_THAT(error_of_file(std::string("e1\tr\0\t?\n", 8)), HasSubstr("NUL"));
}

TEST(AnswerFile, AnswersComeInTheOrderOfTheLines) {
  const RandomModel files(kSize);
  const Model model = files.open();
  std::string text;
  std::vector<Question> questions;
  for (std::uint32_t i = 0; i < 2500; ++i) {
    const std::uint32_t e = i * 7 % 150;
    text += "e" + std::to_string(e) + "\tr" + std::to_string(i % 6) + "\t?\r\n";
    questions.push_back({.head = EntityId{e}, .relation = RelationId{i % 6}});
  }
  files.folder().write("q.tsv", text);
  const PredictOptions options{.top_k = 2};
  const auto expected = model.predict(questions, options, Context{});
  std::size_t at = 0;
  answer_file(
      model, files.folder().path() / "q.tsv", options,
      [&](const Question& question, std::span<const Answer> answers) {
        ASSERT_LT(at, questions.size());
        EXPECT_EQ(question.head, questions[at].head);
        ASSERT_EQ(answers.size(), 2U);
        EXPECT_EQ(answers[0].fact, expected[at][0].fact);
        EXPECT_EQ(answers[1].fact, expected[at][1].fact);
        ++at;
      },
      Context{});
  EXPECT_EQ(at, questions.size());
}

}  // namespace
}  // namespace greenkgc
