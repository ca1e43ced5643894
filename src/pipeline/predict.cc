#include <fmt/format.h>

#include <algorithm>

#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"
#include "pipeline/check_ids.h"
#include "rank/best_facts.h"
#include "rank/ranker.h"

namespace greenkgc {
namespace {

constexpr std::size_t kFactsAtOnce = std::size_t{1} << 20;  // of questions for relations

bool asks_for_relation(const Question& question) {
  return question.relation == kNoRelation;
}

graph::Query query_of(const Question& question) {
  if (question.tail == kNoEntity) return {question.head, question.relation, graph::Side::kTail};
  return {question.tail, question.relation, graph::Side::kHead};
}

// One call of Model::predict.
class Prediction {
 public:
  Prediction(const Model& model, std::span<const Question> questions, const PredictOptions& options,
             const Context& context)
      : model_(model),
        ranker_(model.ranker(context)),
        known_(model.known_facts(context)),
        questions_(questions),
        options_(options),
        context_(context),
        answers_(questions.size()) {}

  std::vector<std::vector<Answer>> run() && {
    answer_for_entities();
    answer_for_relations();
    return std::move(answers_);
  }

 private:
  // At most, of so many.
  std::size_t wanted(std::size_t candidates) const {
    return options_.top_k == 0 ? candidates : std::min(static_cast<std::size_t>(options_.top_k), candidates);
  }

  // Answers of facts with the scores that a ranker gave them.
  std::vector<Answer> answers_of(std::span<const rank::ScoredFact> facts, const rank::Ranker& ranker) const {
    const std::vector<double> probabilities = ranker.probability().of(facts, context_);
    std::vector<Answer> answers;
    answers.reserve(facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i)
      answers.push_back({facts[i].fact, facts[i].score, probabilities[i], known_.contains(facts[i].fact)});
    return answers;
  }

  void answer_for_entities() {
    std::vector<rank::Query> queries;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      const Question& question = questions_[i];
      if (asks_for_relation(question)) continue;
      queries.push_back(query_of(question));
      places.push_back(i);
    }
    const rank::TopOptions top{.k = wanted(model_.entity_count()),
                               .known = options_.include_known ? nullptr : &known_};
    const auto best = ranker_.best(queries, top, context_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<rank::ScoredFact> facts;
      facts.reserve(best[i].size());
      for (const auto& [entity, score] : best[i])
        facts.push_back({queries[i].fact(entity), score, queries[i].side});
      answers_[places[i]] = answers_of(facts, ranker_);
    }
  }

  void answer_for_relations() {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      if (asks_for_relation(questions_[i])) places.push_back(i);
    }
    const std::size_t relations = model_.relation_count();
    const std::size_t at_once = std::max<std::size_t>(1, kFactsAtOnce / relations);
    for (std::size_t begin = 0; begin < places.size(); begin += at_once)
      answer_for_relations(std::span(places).subspan(begin, std::min(at_once, places.size() - begin)));
  }

  // By the first stage, since the second has no evidence for relations. Their scores cannot be compared, so
  // the most probable are best.
  void answer_for_relations(std::span<const std::size_t> places) {
    std::vector<Triple> triples;
    for (const std::size_t place : places) {
      const auto& [head, _, tail] = questions_[place];
      for (std::uint32_t r = 0; r < model_.relation_count(); ++r)
        triples.push_back({head, RelationId{r}, tail});
    }
    const rank::Ranker& ranker = ranker_.first_stage();
    const std::vector<float> scores = ranker.fact_scores(triples, context_);
    std::vector<rank::ScoredFact> facts;
    facts.reserve(triples.size());
    for (std::size_t i = 0; i < triples.size(); ++i) facts.push_back({triples[i], scores[i]});
    const std::vector<Answer> candidates = answers_of(facts, ranker);
    const std::size_t relations = model_.relation_count();
    for (std::size_t i = 0; i < places.size(); ++i) {
      rank::BestFacts best(wanted(relations));
      for (const Answer& candidate : std::span(candidates).subspan(i * relations, relations)) {
        if (options_.include_known || !candidate.known) best.add(candidate);
      }
      answers_[places[i]] = std::move(best).sorted();
    }
  }

  const Model& model_;
  const rank::Ranker& ranker_;
  const graph::KnownFacts& known_;
  std::span<const Question> questions_;
  const PredictOptions& options_;
  const Context& context_;
  std::vector<std::vector<Answer>> answers_;
};

}  // namespace

std::vector<std::vector<Answer>> Model::predict(std::span<const Question> questions,
                                                const PredictOptions& options, const Context& context) const {
  for (const Question& question : questions) check_question(*this, question);
  if (!has_facts())
    context.say(LogLevel::kWarning, options.include_known
                                        ? "the model holds no facts, so known answers cannot be marked"
                                        : "the model holds no facts, so known answers cannot be left out");
  return Prediction(*this, questions, options, context).run();
}

std::vector<Answer> Model::predict_tails(EntityId head, RelationId relation, const PredictOptions& options,
                                         const Context& context) const {
  const Question question{.head = head, .relation = relation};
  return predict({&question, 1}, options, context)[0];
}

std::vector<Answer> Model::predict_heads(RelationId relation, EntityId tail, const PredictOptions& options,
                                         const Context& context) const {
  const Question question{.relation = relation, .tail = tail};
  return predict({&question, 1}, options, context)[0];
}

std::vector<Answer> Model::predict_relations(EntityId head, EntityId tail, const PredictOptions& options,
                                             const Context& context) const {
  const Question question{.head = head, .tail = tail};
  return predict({&question, 1}, options, context)[0];
}

}  // namespace greenkgc
