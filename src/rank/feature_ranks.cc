#include "rank/feature_ranks.h"

namespace greenkgc::rank {

std::vector<Ranks> rank_answers(const model::Features& features, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context) {
  std::vector<Ranks> ranks(queries.size());
  for (std::uint32_t group = 0; group < features.groups.size(); ++group) {
    std::vector<RankQuery> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (features.group_of[index(queries[i].relation)] != group) continue;
      own.push_back(queries[i]);
      places.push_back(i);
    }
    if (own.empty()) continue;
    const auto own_ranks = rank_answers(model::group_embeddings(features, group), own, candidates, context);
    for (std::size_t i = 0; i < own.size(); ++i) ranks[places[i]] = own_ranks[i];
  }
  return ranks;
}

}  // namespace greenkgc::rank
