#pragma once

#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "model/decisions.h"
#include "rank/ranks.h"

namespace greenkgc::rank {

// The margin (as in tree_scores.h) of each query's answer: the bits that score_entities gives that entity.
std::vector<float> margins_of(const model::Decisions& decisions, std::span<const RankQuery> queries,
                              const Context& context);
// Of facts, asked for their tails.
std::vector<float> margins_of(const model::Decisions& decisions, std::span<const Triple> facts,
                              const Context& context);

}  // namespace greenkgc::rank
