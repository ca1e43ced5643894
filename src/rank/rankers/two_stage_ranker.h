#pragma once

#include <span>
#include <vector>

#include "evidence/rules.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "model/second_stage.h"
#include "rank/rankers/evidence_lists.h"
#include "rank/rankers/fact_rows.h"
#include "rank/rankers/first_stage_ranker.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::rank {

evidence::ListOptions list_options(const model::SecondStage& stage);
evidence::RuleSet rule_set(std::span<const model::PathRule> rules, std::uint32_t relations);
std::vector<model::PathRule> stored_rules(const evidence::RuleSet& rules);

// Ranks by both stages: the candidates of a query's list by the scores of the second stage's trees, all
// others behind them by those of the first. Scores behind the list are those of the first stage, lowered so
// that the highest is that of the list's last. A fact is no evidence for itself: where the graph has the fact
// that a query with an answer makes, the query leaves it out. Cheapest where queries of a relation stand
// together. Immutable; keeps references to the decisions and the stage.
class TwoStageRanker final : public Ranker {
 public:
  // `facts` are those of the model, in its order. Throws kUnsupported if the trees ask for other features
  // than this version reads.
  TwoStageRanker(const model::Decisions& decisions, const model::SecondStage& stage,
                 std::span<const Triple> facts, const Context& context);

  TwoStageRanker(const TwoStageRanker&) = delete;
  TwoStageRanker& operator=(const TwoStageRanker&) = delete;

  std::uint32_t entity_count() const override { return graph_.entity_count(); }
  // Ties are equal scores of the stage that both come from.
  std::vector<Ranks> ranks(std::span<const RankQuery> queries, const Candidates& candidates,
                           const Context& context) const override;
  // Where known answers are not left out, those that are evidence are judged as if they were not (the first
  // stage's best 256 of them; others are behind the list).
  std::vector<std::vector<ScoredEntity>> best(std::span<const Query> queries, const TopOptions& options,
                                              const Context& context) const override;
  std::vector<float> scores(std::span<const RankQuery> queries, const Context& context) const override;
  void read_scores(std::span<const Query> queries, const TakeScores& take,
                   const Context& context) const override;
  // Each head's candidates are those of its list, whatever their range; `ranges` says which heads are asked.
  // Lists hold what the first stage ranks best and what the graph has evidence for, so the cost is that of a
  // list per head and relation.
  Discovered discover(const DiscoverOptions& options, const Context& context) const override;
  bool judges_facts() const override { return !fact_trees_.empty(); }
  // By the fact trees, given the list of (h, r, ?); without them by the curve of its scores.
  std::vector<double> probabilities(std::span<const Triple> facts, const Context& context) const override;
  std::vector<std::vector<greenkgc::Answer>> answers(std::span<const Query> queries,
                                                     const TopOptions& options,
                                                     const Context& context) const override;
  double at_missing_share(double probability, double share) const override {
    if (share <= 0 || fact_trees_.empty()) return probability;
    return model::at_missing_share(probability, static_cast<double>(fact_trees_.missing_share), share);
  }
  const FactProbability& probability() const override { return probability_; }
  const Ranker& first_stage() const override { return first_; }
  const EvidenceLists* evidence() const override { return &lists_; }

  // Replaces `scores` by those of a list's rows.
  void score(const evidence::EvidenceReader::List& list, std::vector<float>& scores,
             const Context& context = {.threads = 1}) const;

  // Of candidates of the list of a query (h, r, ?), by their places in it: what the fact trees of the query's
  // fold add up to, and the probabilities that follow. There are fact trees.
  void leaf_sums(const Query& query, const evidence::EvidenceReader::List& list,
                 std::span<const float> scores, std::span<const std::size_t> picks,
                 std::vector<float>& sums) const;
  void list_probabilities(const Query& query, const evidence::EvidenceReader::List& list,
                          std::span<const float> scores, std::span<const std::size_t> picks,
                          std::span<double> probabilities) const;
  // The log-odds, in units of the trees, that a query (h, r, ?) has a missing answer. There are fact trees.
  float query_score(const Query& query) const;

  const FactRows& fact_rows() const { return fact_rows_; }
  const evidence::Profiles& profiles() const { return profiles_; }
  const model::FactTrees& fact_trees() const { return fact_trees_; }

 private:
  // A candidate of a query, with its probability.
  using Judged = std::vector<std::pair<EntityId, double>>;
  Judged judge(const Query& query, const evidence::EvidenceReader::List& list, std::span<const float> scores,
               std::span<const ScoredEntity> answers) const;
  // best(), which notes the probabilities of those answers that come from lists of tails.
  std::vector<std::vector<ScoredEntity>> find_best(std::span<const Query> queries, const TopOptions& options,
                                                   std::span<Judged> with_probabilities,
                                                   const Context& context) const;
  // The k best of the answers that best() found and of those that are evidence, each of which is scored as if
  // it were not known.
  void add_judged(std::span<const Query> queries, std::span<const std::vector<EntityId>> judged,
                  std::size_t k, std::span<std::vector<ScoredEntity>> answers, const Context& context) const;

  const FirstStageRanker first_;
  evidence::EvidenceGraph graph_;
  evidence::RuleSet rules_;
  evidence::WalkSteps walks_;
  EvidenceLists lists_;
  trees::ListScorer scorer_;
  bool on_first_;
  const model::FactTrees& fact_trees_;
  const evidence::Profiles profiles_;
  const evidence::RelationOdds relation_odds_;
  const FactRows fact_rows_;
  std::vector<trees::ListScorer> fact_scorers_;  // by fold
  trees::ListScorer query_scorer_;
  const FactProbability probability_;
};

}  // namespace greenkgc::rank
