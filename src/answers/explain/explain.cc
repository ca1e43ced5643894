#include <algorithm>
#include <array>
#include <cmath>

#include "answers/check_ids.h"
#include "answers/explain/contributions.h"
#include "answers/explain/grounds.h"
#include "answers/near_entities.h"
#include "base/top_k.h"
#include "graph/known_facts.h"
#include "greenkgc/model.h"
#include "model/model_file.h"
#include "rank/rankers/ranker.h"

namespace greenkgc {
namespace {

struct IsMoreSimilar {
  bool operator()(const SupportingFact& a, const SupportingFact& b) const {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.fact < b.fact;
  }
};

// Known facts with the same tail and another head, or the same head and another tail.
std::vector<SupportingFact> support_of(const Triple& fact, const model::Decisions& decisions,
                                       const graph::KnownFacts& known, std::size_t most) {
  TopK<SupportingFact, IsMoreSimilar> support(most);
  const answers::RowSimilarity to_head(decisions, fact.head, fact.relation);
  for (const EntityId head : known.heads(fact.relation, fact.tail)) {
    if (head != fact.head) support.add({{head, fact.relation, fact.tail}, to_head.of(head)});
  }
  const answers::RowSimilarity to_tail(decisions, fact.tail, fact.relation);
  for (const EntityId tail : known.tails(fact.head, fact.relation)) {
    if (tail != fact.tail) support.add({{fact.head, fact.relation, tail}, to_tail.of(tail)});
  }
  return std::move(support).sorted();
}

void sort_by_size(std::vector<Contribution>& contributions) {
  std::stable_sort(
      contributions.begin(), contributions.end(),
      [](const Contribution& a, const Contribution& b) { return std::abs(a.total()) > std::abs(b.total()); });
}

Standing standing_of(const rank::Ranker& ranker, const Triple& fact, const graph::KnownFacts& known,
                     const Context& context) {
  const float score = ranker.fact_scores({&fact, 1}, context)[0];
  const std::array<rank::RankQuery, 2> queries = {rank::tail_query(fact), rank::head_query(fact)};
  const auto ranks = ranker.ranks(queries, {.known = &known}, context);
  return {score, ranker.probabilities({&fact, 1}, context)[0], ranks[0].all.realistic(),
          ranks[1].all.realistic()};
}

}  // namespace

Explanation Model::explain(const Triple& fact, std::size_t most, const Context& context) const {
  check_id(*this, fact.head);
  check_id(*this, fact.relation);
  check_id(*this, fact.tail);
  const model::Decisions& decisions = impl().decisions;
  const graph::KnownFacts& known = known_facts(context);

  Explanation explanation;
  const rank::Ranker& ranker = this->ranker(context);
  explanation.first = standing_of(ranker.first_stage(), fact, known, context);
  const Standing both =
      &ranker == &ranker.first_stage() ? explanation.first : standing_of(ranker, fact, known, context);
  explanation.answer = {fact, both.margin, both.probability, known.contains(fact)};
  explanation.tail_rank = both.tail_rank;
  explanation.head_rank = both.head_rank;
  explanation.grounds = answers::grounds_of(*this, explanation.answer, most, context);

  explanation.base = answers::base_parts_of(decisions, fact);
  auto trees = answers::contributions_of(decisions, fact);
  explanation.trees_expected = trees.expected;
  explanation.contributions = std::move(trees.dimensions);
  sort_by_size(explanation.contributions);
  explanation.support = support_of(fact, decisions, known, most);
  return explanation;
}

}  // namespace greenkgc
