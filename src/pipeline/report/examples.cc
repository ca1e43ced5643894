#include "pipeline/report/examples.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/permutation.h"
#include "base/random.h"
#include "graph/known_facts.h"
#include "model/model_file.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kStream = 11;
constexpr std::uint64_t kMostQuestions = 400;
constexpr double kMostWork = 4e9;  // candidates times trees: some seconds
constexpr std::size_t kMostFacts = 25;
constexpr std::size_t kMostOfARelation = 3;
constexpr std::size_t kKnownAnswers = 5;  // of the question whose scores are shown

std::uint64_t affordable_questions(const Model& model) {
  std::size_t trees = 20;  // what a question takes without any
  for (const auto& group : model.impl().decisions.groups) trees = std::max(trees, group.trees.trees.size());
  const double work = static_cast<double>(trees) * (model.entity_count() + 1.0);
  return std::clamp(static_cast<std::uint64_t>(kMostWork / work), std::uint64_t{5}, kMostQuestions);
}

// (h, r, ?) of facts, each once, in a random order.
std::vector<Question> some_questions(const Model& model, const Context& context) {
  const std::vector<Triple> facts = model.impl().facts.read();
  const std::uint64_t wanted = affordable_questions(model);
  const Permutation order(facts.size(), CounterRandom(context.seed, kStream), 0);
  std::vector<Question> questions;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(facts.size(), wanted); ++i) {
    const Triple& fact = facts[order(i)];
    questions.push_back({.head = fact.head, .relation = fact.relation});
  }
  const auto key = [](const Question& q) { return std::tuple(q.head, q.relation); };
  std::sort(questions.begin(), questions.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  questions.erase(std::unique(questions.begin(), questions.end(),
                              [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                  questions.end());
  return questions;
}

std::vector<NewFact> most_probable(const Model& model, std::vector<Answer> answers) {
  std::stable_sort(answers.begin(), answers.end(),
                   [](const Answer& a, const Answer& b) { return a.probability > b.probability; });
  std::map<RelationId, std::size_t> of_relation;
  std::vector<NewFact> facts;
  for (const Answer& answer : answers) {
    if (facts.size() == kMostFacts) break;
    if (++of_relation[answer.fact.relation] > kMostOfARelation) continue;
    facts.push_back({std::string(model.label(answer.fact.head)),
                     std::string(model.label(answer.fact.relation)),
                     std::string(model.label(answer.fact.tail)), answer.probability});
  }
  return facts;
}

bool has_loops(const Model& model, RelationId relation) {
  const std::vector<Triple> facts = model.impl().facts.read();
  return std::any_of(facts.begin(), facts.end(),
                     [&](const Triple& fact) { return fact.relation == relation && fact.head == fact.tail; });
}

// The question whose number of known answers is nearest to kKnownAnswers.
const Question& question_to_show(const Model& model, const std::vector<Question>& questions,
                                 const Context& context) {
  const auto distance = [&](const Question& q) {
    const std::size_t known = model.known_facts(context).tails(q.head, q.relation).size();
    return known > kKnownAnswers ? known - kKnownAnswers : kKnownAnswers - known;
  };
  return *std::min_element(questions.begin(), questions.end(),
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

}  // namespace

ScoredQuestion score_all(const Model& model, EntityId head, RelationId relation, const Context& context) {
  ScoredQuestion scored{std::string(model.label(head)), std::string(model.label(relation)), {}, {}, {}};
  for (const Answer& answer :
       model.predict_tails(head, relation, {.top_k = 0, .include_known = true}, context)) {
    scored.probabilities.push_back(answer.probability);
    scored.margins.push_back(answer.margin);
    scored.known.push_back(answer.known);
  }
  return scored;
}

ModelExamples make_examples(const Model& model, const Context& context) {
  ModelExamples examples;
  if (!model.has_facts()) return examples;
  const std::vector<Question> questions = some_questions(model, context);
  if (questions.empty()) return examples;
  examples.questions = questions.size();
  std::vector<Answer> answers;
  for (const auto& of_question : model.predict(questions, {.top_k = 2, .include_known = false}, context))
    answers.insert(answers.end(), of_question.begin(), of_question.end());
  std::erase_if(answers, [&](const Answer& answer) {
    return answer.fact.head == answer.fact.tail && !has_loops(model, answer.fact.relation);
  });
  examples.new_facts = most_probable(model, std::move(answers));
  const Question& shown = question_to_show(model, questions, context);
  examples.question = score_all(model, shown.head, shown.relation, context);
  return examples;
}

}  // namespace greenkgc
