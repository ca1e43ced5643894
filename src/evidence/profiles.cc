#include "evidence/profiles.h"

#include <algorithm>

#include "base/parallel.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {

Profiles::Profiles(const EvidenceGraph& graph, const Context& context)
    : graph_(graph), single_(graph.directed_count()) {
  const std::uint32_t relations = graph.directed_count();
  std::vector<std::vector<Companion>> found(relations);
  parallel_for(context, relations, 1, [&](std::size_t begin, std::size_t end) {
    StampedArray<std::uint32_t> together(relations);
    for (std::size_t r = begin; r < end; ++r) {
      const DirectedRelation relation{static_cast<std::uint32_t>(r)};
      together.clear();
      for (const Slot slot : graph.slots_of(relation)) {
        if (graph.size(slot) == 1) ++single_[r];
        const SlotRange all = graph.slots(graph.owner(slot));
        for (std::uint32_t s = all.first; s < all.last; ++s) {
          const DirectedRelation other = graph.relation(Slot{s});
          if (other != relation) ++together[index(other)];
        }
      }
      for (const std::uint32_t other : together.touched())
        found[r].push_back({DirectedRelation{other}, *together.find(other)});
      std::sort(found[r].begin(), found[r].end(),
                [](const Companion& a, const Companion& b) { return a.relation < b.relation; });
    }
  });
  ends_.push_back(0);
  for (const auto& own : found) {
    companions_.insert(companions_.end(), own.begin(), own.end());
    ends_.push_back(companions_.size());
  }
}

float Profiles::share(EntityId entity, DirectedRelation relation) const {
  const auto together = companions(relation);
  const std::uint32_t itself = graph_.find(entity, relation) == kNoSlot ? 0 : 1;
  const SlotRange slots = graph_.slots(entity);
  float largest = 0;
  // Both the slots of an entity and the companions of a relation are in ascending order of relations.
  auto next = together.begin();
  for (std::uint32_t s = slots.first; s < slots.last; ++s) {
    const DirectedRelation other = graph_.relation(Slot{s});
    if (other == relation) continue;
    next = std::lower_bound(next, together.end(), other,
                            [](const Companion& a, DirectedRelation b) { return a.relation < b; });
    if (next == together.end()) break;
    if (next->relation != other) continue;
    const auto others = static_cast<float>(graph_.slots_of(other).size() - 1);
    if (others > 0) largest = std::max(largest, static_cast<float>(next->entities - itself) / others);
  }
  return largest;
}

std::vector<EntityId> Profiles::likely(DirectedRelation relation, float min_share) const {
  std::vector<EntityId> entities;
  for (const Slot slot : graph_.slots_of(relation)) entities.push_back(graph_.owner(slot));
  for (const Companion& companion : companions(relation)) {
    const auto holders = graph_.slots_of(companion.relation);
    // Holders that lack the relation see all others of this companion.
    if (static_cast<float>(companion.entities) < min_share * static_cast<float>(holders.size() - 1)) continue;
    for (const Slot slot : holders) entities.push_back(graph_.owner(slot));
  }
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  return entities;
}

}  // namespace greenkgc::evidence
