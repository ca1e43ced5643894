#include "train/rerank/fact_queries.h"

#include <algorithm>
#include <numeric>

#include "base/permutation.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kFactSampleStream = 0x66616374;
constexpr std::uint32_t kPickStream = 0x66616375;
constexpr std::size_t kOtherPicks = 4;

}  // namespace

std::vector<graph::Query> sample_queries(std::vector<graph::Query> all, std::uint64_t most,
                                         const Context& context) {
  if (all.size() <= most) return all;
  const Permutation order(all.size(), CounterRandom(context.seed, kFactSampleStream), 0);
  std::vector<graph::Query> chosen;
  for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(all[order(i)]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<RelationId> all_relations(const rank::TwoStageRanker& ranker) {
  std::vector<RelationId> relations;
  for (std::uint32_t r = 0; r < ranker.evidence()->graph().directed_count() / 2; ++r)
    relations.push_back(RelationId{r});
  return relations;
}

std::uint64_t key_of(const graph::Query& query) {
  return std::uint64_t{index(query.known)} << 24 ^ index(query.relation);
}

CounterRandom pick_random(const Context& context) {
  return {context.seed, kPickStream};
}

std::vector<std::size_t> picks_of(std::span<const float> scores, std::span<const EntityId> entities,
                                  const CounterRandom& random, std::uint64_t key) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t best = std::min(rank::kJudgedPerQuery, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : entities[a] < entities[b];
                    });
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(best), order.end());
  const std::size_t others = order.size() - best;
  for (std::size_t i = 0; i < std::min(kOtherPicks, others); ++i) {
    const std::uint64_t drawn = random.bits(kOtherPicks * key + i) % (others - i);
    std::swap(order[best + i], order[best + i + drawn]);
  }
  order.resize(best + std::min(kOtherPicks, others));
  return order;
}

}  // namespace greenkgc
