#pragma once

#include <span>
#include <vector>

#include "evidence/profiles.h"
#include "graph/query.h"

namespace greenkgc::rank {

using graph::Query;

// Of the entities that share a relation with one, the share that must have the queried relation for that one
// to be asked for it.
inline constexpr float kMinLikely = 0.05F;

// The queries (h, r, ?) that are worth asking: of heads that have the relation and of heads that resemble
// them (evidence::Profiles). In the order of queries. The cost is near-linear in the graph: that of the
// entities that have one of the relations that go together with r, for each r.
std::vector<Query> likely_queries(const evidence::Profiles& profiles, std::span<const RelationId> relations,
                                  float min_share = kMinLikely);

}  // namespace greenkgc::rank
