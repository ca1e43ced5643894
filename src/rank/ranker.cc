#include "rank/ranker.h"

#include "rank/first_stage_ranker.h"
#include "rank/two_stage_ranker.h"

namespace greenkgc::rank {

std::vector<double> Ranker::probabilities(std::span<const Triple> facts, const Context& context) const {
  const std::vector<float> scores = fact_scores(facts, context);
  std::vector<ScoredFact> scored;
  scored.reserve(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) scored.push_back({facts[i], scores[i]});
  return probability().of(scored, context);
}

std::vector<std::vector<greenkgc::Answer>> Ranker::answers(std::span<const Query> queries,
                                                           const TopOptions& options,
                                                           const Context& context) const {
  const auto found = best(queries, options, context);
  std::vector<Triple> facts;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const ScoredEntity& answer : found[i]) facts.push_back(queries[i].fact(answer.entity));
  }
  const std::vector<double> all = probabilities(facts, context);
  std::vector<std::vector<greenkgc::Answer>> answers(queries.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const ScoredEntity& answer : found[i]) {
      answers[i].push_back({facts[next], answer.score, all[next], false});
      ++next;
    }
  }
  return answers;
}

std::unique_ptr<const Ranker> make_ranker(const model::NamedDecisions& named, const Context& context) {
  if (!named.second) return std::make_unique<FirstStageRanker>(named.decisions);
  return std::make_unique<TwoStageRanker>(named.decisions, *named.second, named.facts.read(), context);
}

}  // namespace greenkgc::rank
