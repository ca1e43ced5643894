#pragma once

#include "model/decisions.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::rank {

// Ranks by the scores of tree_scores.h. Keeps a reference to the decisions, and nothing else: it costs
// nothing to make one. read_scores() takes 64 MB of scores (or those of 16 queries).
class FirstStageRanker final : public Ranker {
 public:
  explicit FirstStageRanker(const model::Decisions& decisions)
      : decisions_(decisions), probability_(decisions) {}

  std::uint32_t entity_count() const override { return decisions_.tables.entities.rows(); }
  std::vector<Ranks> ranks(std::span<const RankQuery> queries, const Candidates& candidates,
                           const Context& context) const override;
  std::vector<std::vector<ScoredEntity>> best(std::span<const Query> queries, const TopOptions& options,
                                              const Context& context) const override;
  std::vector<float> scores(std::span<const RankQuery> queries, const Context& context) const override;
  void read_scores(std::span<const Query> queries, const TakeScores& take,
                   const Context& context) const override;
  Discovered discover(const DiscoverOptions& options, const Context& context) const override;
  const FactProbability& probability() const override { return probability_; }

 private:
  const model::Decisions& decisions_;
  const FactProbability probability_;
};

}  // namespace greenkgc::rank
