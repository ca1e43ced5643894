#include <algorithm>
#include <array>
#include <cmath>

#include "graph/known_facts.h"
#include "greenkgc/model.h"
#include "model/model_file.h"
#include "pipeline/check_ids.h"
#include "pipeline/grounds.h"
#include "rank/contributions.h"
#include "rank/decision_ranks.h"
#include "rank/fact_margins.h"
#include "rank/near_entities.h"
#include "rank/two_stage.h"

namespace greenkgc {
namespace {

// Known facts with the same tail and another head, or the same head and another tail.
std::vector<SupportingFact> support_of(const Triple& fact, const model::Decisions& decisions,
                                       const graph::KnownFacts& known, std::size_t most) {
  std::vector<SupportingFact> support;
  const rank::RowSimilarity to_head(decisions, fact.head, fact.relation);
  for (const EntityId head : known.heads(fact.relation, fact.tail)) {
    if (head != fact.head) support.push_back({{head, fact.relation, fact.tail}, to_head.of(head)});
  }
  const rank::RowSimilarity to_tail(decisions, fact.tail, fact.relation);
  for (const EntityId tail : known.tails(fact.head, fact.relation)) {
    if (tail != fact.tail) support.push_back({{fact.head, fact.relation, tail}, to_tail.of(tail)});
  }
  const std::size_t kept = std::min(most, support.size());
  std::partial_sort(support.begin(), support.begin() + static_cast<std::ptrdiff_t>(kept), support.end(),
                    [](const SupportingFact& a, const SupportingFact& b) {
                      return a.similarity != b.similarity ? a.similarity > b.similarity : a.fact < b.fact;
                    });
  support.resize(kept);
  return support;
}

void sort_by_size(std::vector<Contribution>& contributions) {
  std::stable_sort(
      contributions.begin(), contributions.end(),
      [](const Contribution& a, const Contribution& b) { return std::abs(a.total()) > std::abs(b.total()); });
}

struct FactRanks {
  double tail;
  double head;
};

// By one stage or by both.
template <class Ranker>
FactRanks ranks_of(const Ranker& ranker, const Triple& fact, const graph::KnownFacts& known,
                   const Context& context) {
  const std::array<rank::RankQuery, 2> queries = {rank::tail_query(fact), rank::head_query(fact)};
  const auto ranks = rank::rank_answers(ranker, queries, {.known = &known}, context);
  return {ranks[0].all.realistic(), ranks[1].all.realistic()};
}

Standing first_standing(const Triple& fact, const model::Decisions& decisions, const graph::KnownFacts& known,
                        const Context& context) {
  const float margin = rank::margins_of(decisions, {&fact, 1}, context)[0];
  const auto& group = decisions.groups[decisions.group_of[index(fact.relation)]];
  const auto [tail_rank, head_rank] = ranks_of(decisions, fact, known, context);
  return {margin, group.calibration.probability(static_cast<double>(margin)), tail_rank, head_rank};
}

}  // namespace

Explanation Model::explain(const Triple& fact, std::size_t most, const Context& context) const {
  check_id(*this, fact.head);
  check_id(*this, fact.relation);
  check_id(*this, fact.tail);
  const model::Decisions& decisions = impl().decisions;
  const graph::KnownFacts& known = known_facts(context);

  Explanation explanation;
  explanation.first = first_standing(fact, decisions, known, context);
  const Score score = this->score({&fact, 1}, context)[0];
  explanation.answer = {fact, score.margin, score.probability, known.contains(fact)};
  explanation.tail_rank = explanation.first.tail_rank;
  explanation.head_rank = explanation.first.head_rank;
  if (const rank::TwoStage* both = two_stage(context)) {
    const auto [tail_rank, head_rank] = ranks_of(*both, fact, known, context);
    explanation.tail_rank = tail_rank;
    explanation.head_rank = head_rank;
    explanation.grounds = grounds_of(*this, explanation.answer, most, context);
  }

  explanation.base = rank::base_parts_of(decisions, fact);
  auto trees = rank::contributions_of(decisions, fact);
  explanation.trees_expected = trees.expected;
  explanation.contributions = std::move(trees.dimensions);
  sort_by_size(explanation.contributions);
  explanation.support = support_of(fact, decisions, known, most);
  return explanation;
}

}  // namespace greenkgc
