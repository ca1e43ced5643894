#include "report/examples.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "answers/explain/grounds.h"
#include "base/permutation.h"
#include "base/random.h"
#include "graph/known_facts.h"
#include "model/model_file.h"
#include "rank/completion_quality.h"
#include "rank/evaluate/proposals.h"

namespace greenkgc::report {
namespace {

constexpr std::uint32_t kStream = 11;
constexpr std::uint64_t kMaxQuestions = 400;  // to choose one from
constexpr std::uint64_t kMaxProposals = 400;
constexpr std::size_t kMaxFacts = 25;
constexpr std::size_t kMaxOfRelation = 3;
constexpr std::size_t kKnownAnswers = 5;  // of the question whose scores are shown

// (h, r, ?) of facts, each once, in a random order.
std::vector<Question> some_questions(const Model& model, const Context& context) {
  const std::vector<Triple> facts = model.impl().facts.read();
  const Permutation order(facts.size(), CounterRandom(context.seed, kStream), 0);
  std::vector<Question> questions;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(facts.size(), kMaxQuestions); ++i) {
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

// The best evidence; without any, how common the tail is anyway.
std::string reason_for(const Model& model, const Answer& answer, const Context& context) {
  const auto grounds = answers::grounds_of(model, answer, 1, context);
  if (!grounds) return "";
  return grounds->evidence.empty() ? grounds->base_rate : grounds->evidence[0].sentence;
}

std::vector<NewFact> first_of(const Model& model, std::span<const Answer> proposals, const Context& context) {
  const std::vector<Triple> known = model.impl().facts.read();
  const rank::SecondValues second_values(known, {});
  std::map<RelationId, std::size_t> of_relation;
  std::vector<NewFact> facts;
  for (const Answer& answer : proposals) {
    if (facts.size() == kMaxFacts) break;
    if (second_values.contains(answer.fact) || of_relation[answer.fact.relation] == kMaxOfRelation) continue;
    ++of_relation[answer.fact.relation];
    facts.push_back(
        {std::string(model.label(answer.fact.head)), std::string(model.label(answer.fact.relation)),
         std::string(model.label(answer.fact.tail)), answer.probability, reason_for(model, answer, context)});
  }
  return facts;
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
  const QuickProposals proposals = propose_some(model, kMaxProposals, context);
  examples.sampled_heads = proposals.sampled_heads;
  examples.new_facts = first_of(model, proposals.facts, context);
  const Question& shown = question_to_show(model, questions, context);
  examples.question = score_all(model, shown.head, shown.relation, context);
  return examples;
}

}  // namespace greenkgc::report
