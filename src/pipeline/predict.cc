#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"
#include "model/model_file.h"
#include "pipeline/check_ids.h"
#include "rank/decision_ranks.h"
#include "rank/fact_margins.h"
#include "rank/two_stage.h"

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
        decisions_(model.impl().decisions),
        two_stage_(model.two_stage(context)),
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

  Answer answer(const Triple& fact, float margin) const {
    const auto& group = decisions_.groups[decisions_.group_of[index(fact.relation)]];
    return {fact, margin, group.calibration.probability(static_cast<double>(margin)), known_.contains(fact)};
  }

  Answer reranked_answer(const Triple& fact, float margin) const {
    const model::Calibration& curve = model_.impl().second->calibration;
    return {fact, margin, curve.probability(static_cast<double>(margin)), known_.contains(fact)};
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
    const auto best = two_stage_ != nullptr ? rank::top_answers(*two_stage_, queries, top, context_)
                                            : rank::top_answers(decisions_, queries, top, context_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const auto& [entity, margin] : best[i]) {
        const Triple fact = queries[i].fact(entity);
        answers_[places[i]].push_back(two_stage_ != nullptr ? reranked_answer(fact, margin)
                                                            : answer(fact, margin));
      }
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

  void answer_for_relations(std::span<const std::size_t> places) {
    std::vector<Triple> facts;
    for (const std::size_t place : places) {
      const auto& [head, _, tail] = questions_[place];
      for (std::uint32_t r = 0; r < model_.relation_count(); ++r)
        facts.push_back({head, RelationId{r}, tail});
    }
    const std::vector<float> margins = rank::margins_of(decisions_, facts, context_);
    const std::size_t relations = model_.relation_count();
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const Answer candidate = answer(facts[i], margins[i]);
      if (options_.include_known || !candidate.known) answers_[places[i / relations]].push_back(candidate);
    }
    for (const std::size_t place : places) keep_best(answers_[place]);
  }

  void keep_best(std::vector<Answer>& answers) const {
    const auto order = [](const Answer& answer) {
      return std::tuple(-answer.probability, -answer.margin, answer.fact.relation);
    };
    const std::size_t kept = wanted(answers.size());
    std::partial_sort(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(kept), answers.end(),
                      [&](const Answer& a, const Answer& b) { return order(a) < order(b); });
    answers.resize(kept);
  }

  const Model& model_;
  const model::Decisions& decisions_;
  const rank::TwoStage* const two_stage_;
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
