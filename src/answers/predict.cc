#include <fmt/format.h>

#include <algorithm>

#include "answers/check_ids.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"
#include "rank/best_facts.h"
#include "rank/rankers/ranker.h"

namespace greenkgc {
namespace {

constexpr std::size_t kFactsAtOnce = std::size_t{1} << 20;  // of questions for relations
// Relations of a pair that both stages judge, at least.
constexpr std::size_t kRelationsJudged = 64;

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
        left_out_(options.include_known ? nullptr : &model.not_new(context)),
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

  void answer_for_entities() {
    std::vector<graph::Query> queries;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      const Question& question = questions_[i];
      if (asks_for_relation(question)) continue;
      queries.push_back(query_of(question));
      places.push_back(i);
    }
    const rank::TopOptions top{.k = wanted(model_.entity_count()), .known = left_out_};
    auto best = ranker_.answers(queries, top, context_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (Answer& answer : best[i]) answer.known = known_.contains(answer.fact);
      answers_[places[i]] = std::move(best[i]);
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

  // Scores of different relations cannot be compared, so the most probable relations are best. Where both
  // stages judge facts, the first chooses which.
  void answer_for_relations(std::span<const std::size_t> places) {
    const rank::Ranker& first = ranker_.first_stage();
    const bool two_stages = ranker_.judges_facts();
    const std::size_t relations = wanted(model_.relation_count());
    const std::size_t chosen = two_stages ? std::max(2 * relations, kRelationsJudged) : relations;
    std::vector<Triple> facts;
    for (const std::size_t place : places) {
      const auto& [head, _, tail] = questions_[place];
      for (std::uint32_t r = 0; r < model_.relation_count(); ++r)
        facts.push_back({head, RelationId{r}, tail});
    }
    auto best = best_of(facts, first, chosen, places.size());
    if (two_stages) {
      facts.clear();
      std::vector<std::size_t> ends;
      for (const auto& own : best) {
        for (const Answer& answer : own) facts.push_back(answer.fact);
        ends.push_back(facts.size());
      }
      const std::vector<float> scores = ranker_.fact_scores(facts, context_);
      const std::vector<double> probabilities = ranker_.probabilities(facts, context_);
      for (std::size_t i = 0; i < places.size(); ++i) {
        rank::BestFacts own(relations);
        for (std::size_t k = i == 0 ? 0 : ends[i - 1]; k < ends[i]; ++k)
          own.add({facts[k], scores[k], probabilities[k], known_.contains(facts[k])});
        best[i] = std::move(own).sorted();
      }
    }
    for (std::size_t i = 0; i < places.size(); ++i) answers_[places[i]] = std::move(best[i]);
  }

  // The most probable facts of each of `parts` equal parts.
  std::vector<std::vector<Answer>> best_of(std::span<const Triple> facts, const rank::Ranker& ranker,
                                           std::size_t k, std::size_t parts) const {
    const std::vector<float> scores = ranker.fact_scores(facts, context_);
    const std::vector<double> probabilities = ranker.probabilities(facts, context_);
    const std::size_t size = facts.size() / std::max<std::size_t>(1, parts);
    std::vector<std::vector<Answer>> all;
    for (std::size_t part = 0; part < parts; ++part) {
      rank::BestFacts best(k);
      for (std::size_t i = part * size; i < (part + 1) * size; ++i) {
        const Answer candidate{facts[i], scores[i], probabilities[i], known_.contains(facts[i])};
        if (left_out_ == nullptr || !left_out_->contains(candidate.fact)) best.add(candidate);
      }
      all.push_back(std::move(best).sorted());
    }
    return all;
  }

  const Model& model_;
  const rank::Ranker& ranker_;
  const graph::KnownFacts& known_;
  const graph::KnownFacts* left_out_;  // null: none
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

std::vector<float> Model::candidate_margins(const Question& question, const Context& context) const {
  check_question(*this, question);
  const rank::Ranker& both = ranker(context);
  if (asks_for_relation(question)) {
    std::vector<Triple> facts;
    for (std::uint32_t r = 0; r < relation_count(); ++r)
      facts.push_back({question.head, RelationId{r}, question.tail});
    return (both.judges_facts() ? both : both.first_stage()).fact_scores(facts, context);
  }
  const graph::Query query = query_of(question);
  const auto best = both.best({&query, 1}, {.k = entity_count()}, context);
  std::vector<float> margins;
  for (const auto& answer : best[0]) margins.push_back(answer.score);
  return margins;
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
