#include "rank/rankers/ranker.h"

#include "rank/rankers/first_stage_ranker.h"
#include "rank/rankers/two_stage_ranker.h"

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
  std::vector<std::vector<greenkgc::Answer>> answers(queries.size());
  std::vector<ScoredFact> scored;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    scored.clear();
    for (const ScoredEntity& answer : found[i])
      scored.push_back({queries[i].fact(answer.entity), answer.score, queries[i].side});
    const std::vector<double> own = probability().of(scored, context);
    for (std::size_t k = 0; k < scored.size(); ++k)
      answers[i].push_back({scored[k].fact, scored[k].score, own[k], false});
  }
  return answers;
}

std::unique_ptr<const Ranker> make_ranker(const model::NamedDecisions& named, const Context& context) {
  if (!named.second) return std::make_unique<FirstStageRanker>(named.decisions);
  return std::make_unique<TwoStageRanker>(named.decisions, *named.second, named.facts.read(), context);
}

}  // namespace greenkgc::rank
