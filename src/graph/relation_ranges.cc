#include "graph/relation_ranges.h"

#include <algorithm>
#include <vector>

namespace greenkgc::graph {
namespace {

struct OwnLists {
  std::vector<EntityId> entities;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> offsets = {0};
};

}  // namespace

RelationRanges::RelationRanges(std::span<const Triple> facts, std::uint32_t relation_count)
    : heads_(collect(facts, relation_count, &Triple::head)),
      tails_(collect(facts, relation_count, &Triple::tail)) {}

std::uint32_t RelationRanges::Lists::count(RelationId relation, EntityId entity) const {
  const auto entities_of = of(relation);
  const auto found = std::lower_bound(entities_of.begin(), entities_of.end(), entity);
  if (found == entities_of.end() || *found != entity) return 0;
  return counts_of(relation)[static_cast<std::size_t>(found - entities_of.begin())];
}

RelationRanges::Lists RelationRanges::collect(std::span<const Triple> facts, std::uint32_t relation_count,
                                              EntityId Triple::*end) {
  // By counting: all ends of a relation together, then each list sorted and made unique in place.
  std::vector<std::uint64_t> starts(relation_count + std::size_t{1});
  for (const Triple& fact : facts) ++starts[index(fact.relation) + 1];
  for (std::size_t r = 0; r < relation_count; ++r) starts[r + 1] += starts[r];
  std::vector<EntityId> all(facts.size());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  for (const Triple& fact : facts) all[next[index(fact.relation)]++] = fact.*end;

  auto lists = std::make_shared<OwnLists>();
  std::uint64_t kept = 0;
  for (std::size_t r = 0; r < relation_count; ++r) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(starts[r]);
    const auto finish = all.begin() + static_cast<std::ptrdiff_t>(starts[r + 1]);
    std::sort(begin, finish);
    for (auto at = begin; at != finish;) {
      const auto next_other = std::find_if(at, finish, [&](EntityId id) { return id != *at; });
      lists->counts.push_back(static_cast<std::uint32_t>(next_other - at));
      all[kept++] = *at;
      at = next_other;
    }
    lists->offsets.push_back(kept);
  }
  all.resize(kept);
  all.shrink_to_fit();
  lists->entities = std::move(all);
  return {lists->entities, lists->counts, lists->offsets, lists};
}

}  // namespace greenkgc::graph
