#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/features.h"
#include "graph/known_facts.h"
#include "graph/query.h"
#include "graph/relation_ranges.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "kge/embeddings.h"

namespace greenkgc::rank {

using graph::Query;
using graph::Side;

// A query with a right answer.
struct RankQuery {
  EntityId known;
  RelationId relation;
  EntityId answer;
  Side side;  // of the answer

  Query query() const { return {known, relation, side}; }
  Triple fact() const { return query().fact(answer); }
};

inline RankQuery tail_query(const Triple& fact) {
  return {fact.head, fact.relation, fact.tail, Side::kTail};
}
inline RankQuery head_query(const Triple& fact) {
  return {fact.tail, fact.relation, fact.head, Side::kHead};
}
// Facts as answers to (h, r, ?).
std::vector<RankQuery> tail_queries(std::span<const Triple> facts);

// How many candidates beat the answer, and how many others tie with it.
struct Rank {
  std::uint32_t better = 0;
  std::uint32_t equal = 0;

  double optimistic() const { return better + 1.0; }
  double pessimistic() const { return static_cast<double>(better) + equal + 1.0; }
  double realistic() const { return better + 1.0 + equal / 2.0; }  // the mean of both
};

// The answer among all entities, and among those that train has in its place. Every protocol follows from the
// two.
struct Ranks {
  Rank all;
  Rank in_range;
  std::uint32_t range_candidates = 0;  // in range and not left out, without the answer
  bool answer_in_range = false;
};

// Which candidates are left out or told apart.
struct Candidates {
  const graph::KnownFacts* known = nullptr;  // other known answers are left out (filtered); null: none (raw)
  const graph::RelationRanges* ranges = nullptr;  // null: in_range and the like are not counted
  bool self = true;  // the entity that a query names is a candidate for its answer, too
};

// Ranks the answer of each query, by matrix products over tiles of entities. Exact: a candidate whose float
// score is too near the answer's to be sure is compared again in double precision, so ranks are those of
// scores computed in double from the float rows, ties included, for any number of threads, order of queries
// and instruction set. Memory beyond the embeddings is one tile per thread.
std::vector<Ranks> rank_answers(const kge::Embeddings& embeddings, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context);
// The same by the embedding of the dimensions that the group of each query's relation keeps.
std::vector<Ranks> rank_answers(const features::Features& features, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context);

}  // namespace greenkgc::rank
