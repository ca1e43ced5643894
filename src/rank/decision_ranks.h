#pragma once

#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "model/decisions.h"
#include "rank/ranks.h"
#include "rank/tree_scores.h"

namespace greenkgc::rank {

// Ranks the answer of each query by the margins of tree_scores.h; ties are equal floats. The result is the
// same for any number of threads, order of queries and instruction set.
std::vector<Ranks> rank_answers(const model::Decisions& decisions, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context);

struct Answer {
  EntityId entity;
  float margin;

  friend bool operator==(const Answer&, const Answer&) = default;
};

// The order of answers: by margin, then by id.
inline bool is_better(const Answer& a, const Answer& b) {
  return a.margin != b.margin ? a.margin > b.margin : a.entity < b.entity;
}

struct TopOptions {
  std::size_t k = 10;
  const graph::KnownFacts* known = nullptr;  // known answers are left out; null: none
};

// The k best answers of each query, best first, lower ids first among equals; fewer where there are no more.
std::vector<std::vector<Answer>> top_answers(const model::Decisions& decisions,
                                             std::span<const Query> queries, const TopOptions& options,
                                             const Context& context);

}  // namespace greenkgc::rank
