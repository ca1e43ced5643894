#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "answers/check_prior.h"
#include "answers/decide_facts.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "greenkgc/error.h"
#include "greenkgc/score.h"
#include "model/model_file.h"
#include "rank/binary_metrics.h"
#include "rank/calibration/prior_shift.h"
#include "rank/calibration/truth_weights.h"

namespace greenkgc {
namespace {

struct LabelledTriples {
  std::vector<Triple> triples;  // in the model's ids
  std::vector<bool> is_fact;
  std::vector<Score> scores;
};

template <class Id, class Find>
std::vector<Id> ids_in_model(const graph::Vocabulary& labels, std::string_view what, const Find& find) {
  std::vector<Id> ids;
  ids.reserve(labels.size());
  for (std::uint32_t id = 0; id < labels.size(); ++id) {
    const std::optional<Id> found = find(labels.label(id));
    if (!found)
      throw Error(ErrorCode::kBadInput,
                  fmt::format("the model does not know the data's {} {}; it was trained on other data", what,
                              in_quotes(labels.label(id))));
    ids.push_back(*found);
  }
  return ids;
}

// The splits of a dataset, scored.
class ScoredSplits {
 public:
  ScoredSplits(const Model& model, const graph::Dataset& data)
      : model_(model),
        data_(data),
        entities_(ids_in_model<EntityId>(data.entities, "entity",
                                         [&](std::string_view label) { return model.find_entity(label); })),
        relations_(ids_in_model<RelationId>(
            data.relations, "relation", [&](std::string_view label) { return model.find_relation(label); })) {
  }

  LabelledTriples score(Split facts, Split negatives, const Context& context) const {
    LabelledTriples labelled;
    for (const Split split : {facts, negatives}) {
      if (data_[split].triples.empty())
        throw Error(ErrorCode::kBadInput,
                    fmt::format("the data have no {}; triple classification needs {}.txt and {}.txt",
                                split_name(split), split_name(facts), split_name(negatives)));
      for (const Triple& triple : data_[split].triples) {
        labelled.triples.push_back({entities_[index(triple.head)], relations_[index(triple.relation)],
                                    entities_[index(triple.tail)]});
        labelled.is_fact.push_back(split == facts);
      }
    }
    labelled.scores = model_.score(labelled.triples, context);
    return labelled;
  }

 private:
  const Model& model_;
  const graph::Dataset& data_;
  const std::vector<EntityId> entities_;  // by the data's ids
  const std::vector<RelationId> relations_;
};

// Where trees judge facts, a probability is no function of the score: both tell facts from false triples.
Thresholds weights_on(const LabelledTriples& valid) {
  std::vector<rank::ScoredTriple> triples;
  for (std::size_t i = 0; i < valid.triples.size(); ++i)
    triples.push_back({valid.triples[i].relation, valid.scores[i], valid.is_fact[i]});
  const rank::FittedWeights fitted = rank::fit_truth_weights(triples);
  Thresholds thresholds;
  thresholds.weights = fitted.others;
  std::map<RelationId, std::pair<std::uint64_t, std::uint64_t>>
      counts;  // of triples, and of those told right
  for (const auto& [relation, weights] : fitted.relations)
    thresholds.relations.push_back({.relation = relation, .weights = weights});
  const FactDecider decide(&thresholds);
  for (const rank::ScoredTriple& triple : triples) {
    auto& [all, right] = counts[triple.relation];
    ++all;
    right += decide(triple.relation, triple.score) == triple.is_fact ? 1 : 0;
  }
  for (RelationThreshold& own : thresholds.relations) {
    const auto& [all, right] = counts[own.relation];
    own.triples = all;
    own.accuracy = static_cast<double>(right) / static_cast<double>(all);
  }
  return thresholds;
}

Thresholds thresholds_on(const Model& model, const LabelledTriples& valid) {
  const auto& second = model.impl().second;
  if (second && !second->facts.empty()) return weights_on(valid);
  std::map<RelationId, std::vector<rank::ValuedTriple>> by_relation;
  std::vector<rank::ValuedTriple> all;
  for (std::size_t i = 0; i < valid.triples.size(); ++i) {
    const Score& score = valid.scores[i];
    by_relation[valid.triples[i].relation].push_back({static_cast<double>(score.margin), valid.is_fact[i]});
    all.push_back({score.probability, valid.is_fact[i]});
  }
  Thresholds thresholds;
  thresholds.probability = rank::best_threshold(all).value;
  const model::Decisions& decisions = model.impl().decisions;
  for (const auto& [relation, triples] : by_relation) {
    const rank::Threshold best = rank::best_threshold(triples);
    const model::Calibration& curve =
        second ? second->calibration : decisions.groups[decisions.group_of[index(relation)]].calibration;
    thresholds.relations.push_back({.relation = relation,
                                    .margin = best.value,
                                    .probability = curve.probability(best.value),
                                    .triples = triples.size(),
                                    .accuracy = best.accuracy});
  }
  return thresholds;
}

// With a prior, the probabilities are shifted after what is decided.
std::vector<rank::JudgedTriple> judged(const LabelledTriples& labelled, const Thresholds& thresholds,
                                       double prior) {
  std::vector<rank::JudgedTriple> judged;
  const FactDecider decide(&thresholds);
  for (std::size_t i = 0; i < labelled.triples.size(); ++i) {
    const Score& score = labelled.scores[i];
    judged.push_back({score.probability, labelled.is_fact[i], decide(labelled.triples[i].relation, score)});
  }
  if (prior > 0) {
    std::vector<double> probabilities;
    for (const rank::JudgedTriple& triple : judged) probabilities.push_back(triple.probability);
    rank::shift_to_prior(probabilities, prior);
    for (std::size_t i = 0; i < judged.size(); ++i) judged[i].probability = probabilities[i];
  }
  return judged;
}

}  // namespace

Thresholds choose_thresholds(const Model& model, const Dataset& dataset, const Context& context) {
  const ScoredSplits splits(model, dataset.impl());
  return thresholds_on(model, splits.score(Split::kValid, Split::kValidNegatives, context));
}

Classification classify(const Model& model, const Dataset& dataset, const ScoreOptions& options,
                        const Context& context) {
  check_prior(options);
  const ScoredSplits splits(model, dataset.impl());
  const LabelledTriples valid = splits.score(Split::kValid, Split::kValidNegatives, context);
  const LabelledTriples test = splits.score(Split::kTest, Split::kTestNegatives, context);
  Classification result;
  result.thresholds = thresholds_on(model, valid);
  result.valid = rank::binary_metrics(judged(valid, result.thresholds, options.prior));
  const auto decided = judged(test, result.thresholds, options.prior);
  result.test = rank::binary_metrics(decided);
  std::map<RelationId, std::vector<rank::JudgedTriple>> by_relation;
  for (std::size_t i = 0; i < decided.size(); ++i)
    by_relation[test.triples[i].relation].push_back(decided[i]);
  for (const auto& [relation, own] : by_relation)
    result.relations.push_back({relation, rank::binary_metrics(own)});
  return result;
}

}  // namespace greenkgc
