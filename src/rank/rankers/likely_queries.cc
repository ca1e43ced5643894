#include "rank/rankers/likely_queries.h"

namespace greenkgc::rank {

std::vector<Query> likely_queries(const evidence::Profiles& profiles, std::span<const RelationId> relations,
                                  float min_share) {
  std::vector<Query> queries;
  for (const RelationId relation : relations) {
    for (const EntityId head : profiles.likely(evidence::towards(relation, graph::Side::kTail), min_share))
      queries.push_back({head, relation, graph::Side::kTail});
  }
  return queries;
}

}  // namespace greenkgc::rank
