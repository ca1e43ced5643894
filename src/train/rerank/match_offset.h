#pragma once

#include "greenkgc/context.h"
#include "rank/rankers/two_stage_ranker.h"

namespace greenkgc {

// Moves the offset of a ranker's fact trees so that as many facts are expected to be missing as its trees say
// (missing_per_query), and returns it. In a graph with more facts there is more evidence for everything, so
// the offset that was fitted in training would promise too much. Reads the lists of a sample of queries.
float matched_offset(const rank::TwoStageRanker& ranker, const Context& context);

}  // namespace greenkgc
