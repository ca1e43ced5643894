#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "model/decisions.h"
#include "model/second_stage.h"
#include "rank/decision_ranks.h"
#include "rank/evidence_lists.h"
#include "rank/ranks.h"
#include "structure/rules.h"

namespace greenkgc::rank {

structure::RuleSet rule_set(std::span<const model::PathRule> rules, std::uint32_t relations);
std::vector<model::PathRule> stored_rules(const structure::RuleSet& rules);

// A model of two stages, ready to rank: candidates of a question's list by the margins of the second stage's
// trees, all others behind them by those of the first. Immutable; keeps references to the decisions.
class TwoStage {
 public:
  // `facts` are those of the model, in its order. Throws kUnsupported if the trees ask for other features
  // than this version reads.
  TwoStage(const model::Decisions& decisions, const model::SecondStage& stage, std::span<const Triple> facts,
           const Context& context);

  TwoStage(const TwoStage&) = delete;
  TwoStage& operator=(const TwoStage&) = delete;

  const EvidenceLists& lists() const { return lists_; }
  const structure::RuleSet& rules() const { return rules_; }
  std::uint32_t entity_count() const { return graph_.entity_count(); }

  // Of a list's rows.
  void score(const structure::EvidenceReader::List& list, std::vector<float>& margins,
             const Context& context = {.threads = 1}) const;

 private:
  structure::EvidenceGraph graph_;
  structure::RuleSet rules_;
  structure::WalkSteps walks_;
  EvidenceLists lists_;
  model::ListScorer scorer_;
  bool on_first_;
};

// Ranks each answer among all entities; ties are equal margins of the stage that both come from. Where the
// graph has the question's own fact, that one is no evidence. The same for any number of threads and order of
// queries.
std::vector<Ranks> rank_answers(const TwoStage& model, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context);

// The k best answers of each query, best first, lower ids first among equals. Margins behind the list are
// those of the first stage, lowered so that the highest is that of the list's last. Where known ones are not
// left out, those that are evidence are judged as if they were not (the first stage's best 256 of them;
// others are behind the list).
std::vector<std::vector<Answer>> top_answers(const TwoStage& model, std::span<const Query> queries,
                                             const TopOptions& options, const Context& context);

// Of all entities for each query once, as top_answers gives them; what is known among them is not evidence's
// to judge. Called from several threads.
using TakeMargins = std::function<void(std::size_t query, std::span<const float> margins)>;
void read_margins(const TwoStage& model, std::span<const Query> queries, const TakeMargins& take,
                  const Context& context);

// Of answers, as top_answers gives them; where the graph has the fact, that one is no evidence. Cheapest
// where queries of a relation stand together.
std::vector<float> margins_of(const TwoStage& model, std::span<const RankQuery> queries,
                              const Context& context);
// Of facts, asked for their tails.
std::vector<float> margins_of(const TwoStage& model, std::span<const Triple> facts, const Context& context);

}  // namespace greenkgc::rank
