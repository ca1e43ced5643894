#include "rank/ranker.h"

#include "rank/first_stage_ranker.h"
#include "rank/two_stage_ranker.h"

namespace greenkgc::rank {

std::unique_ptr<const Ranker> make_ranker(const model::NamedDecisions& named, const Context& context) {
  if (!named.second) return std::make_unique<FirstStageRanker>(named.decisions);
  return std::make_unique<TwoStageRanker>(named.decisions, *named.second, named.facts.read(), context);
}

}  // namespace greenkgc::rank
