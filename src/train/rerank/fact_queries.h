#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "graph/query.h"
#include "greenkgc/context.h"
#include "rank/rankers/two_stage_ranker.h"

namespace greenkgc {

// How queries of all kinds are drawn and read while fact trees are learned and matched.

std::vector<RelationId> all_relations(const rank::TwoStageRanker& ranker);

// At most so many of the queries, chosen by the seed, in their order.
std::vector<graph::Query> sample_queries(std::vector<graph::Query> all, std::uint64_t most,
                                         const Context& context);

// A number of the query's own, whatever other queries are asked.
std::uint64_t key_of(const graph::Query& query);

// Which candidates of a list become rows: the best, and some others, chosen by pick_random and the query's
// key.
CounterRandom pick_random(const Context& context);
std::vector<std::size_t> picks_of(std::span<const float> scores, std::span<const EntityId> entities,
                                  const CounterRandom& random, std::uint64_t key);

}  // namespace greenkgc
