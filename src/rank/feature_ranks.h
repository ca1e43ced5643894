#pragma once

#include "model/features.h"
#include "rank/ranks.h"

namespace greenkgc::rank {

// Ranks each query by the embedding of the dimensions that its relation's group keeps; as rank_answers
// otherwise.
std::vector<Ranks> rank_answers(const model::Features& features, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context);

}  // namespace greenkgc::rank
