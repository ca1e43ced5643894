#include "rank/likely_queries.h"

namespace greenkgc::rank {

std::vector<Query> likely_queries(const structure::Profiles& profiles, std::span<const RelationId> relations,
                                  float min_share) {
  std::vector<Query> queries;
  for (const RelationId relation : relations) {
    for (const EntityId head : profiles.likely(structure::towards(relation, graph::Side::kTail), min_share))
      queries.push_back({head, relation, graph::Side::kTail});
  }
  return queries;
}

}  // namespace greenkgc::rank
