#include "evidence/relation_odds.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kAttributes = 32;  // of a relation; bits of a mask
constexpr std::uint32_t kMinHolders = 4;
constexpr double kMinGain = 3;  // in nats over all entities: less is likely to be chance
// Values of a relation of which an entity has more say little about it, and are many.
constexpr std::uint32_t kMaxValues = 32;

double entropy(double part, double all) {
  if (part <= 0 || part >= all) return 0;
  const double p = part / all;
  return -all * (p * std::log(p) + (1 - p) * std::log(1 - p));
}

// Of those with the relation against those without: how much more often something is so. Both shares are
// drawn towards that of all.
double log_ratio(double with, double all_with, double without, double all_without, double share) {
  return std::log((with + share) / (all_with + 1)) - std::log((without + share) / (all_without + 1));
}

}  // namespace

template <class Visit>
void RelationOdds::each_attribute(EntityId entity, DirectedRelation relation, const Visit& visit) const {
  const SlotRange slots = graph_.slots(entity);
  for (std::uint32_t s = slots.first; s < slots.last; ++s) {
    const DirectedRelation other = graph_.relation(Slot{s});
    if (other == relation) continue;
    visit(index(other));
    if (graph_.size(Slot{s}) > kMaxValues) continue;
    for (const Slot value : graph_.attributes(Slot{s})) {
      if (graph_.size(value) >= kMinHolders) visit(graph_.directed_count() + index(value));
    }
  }
}

RelationOdds::RelationOdds(const EvidenceGraph& graph, const Profiles& profiles, float min_share,
                           const Context& context)
    : graph_(graph), profiles_(profiles), min_share_(min_share), classifiers_(graph.directed_count()) {
  struct Count {
    std::uint32_t holders = 0;
    std::uint32_t with = 0;
  };
  parallel_for(context, graph.directed_count(), 1, [&](std::size_t begin, std::size_t end) {
    StampedArray<Count> counts(graph.directed_count() + graph.slot_count());
    std::vector<std::pair<double, Attribute>> gains;
    for (std::size_t r = begin; r < end; ++r) {
      const DirectedRelation relation{static_cast<std::uint32_t>(r)};
      Classifier& own = classifiers_[r];
      counts.clear();
      for (const EntityId entity : profiles.likely(relation, min_share)) {
        const std::uint32_t has = graph.find(entity, relation) == kNoSlot ? 0 : 1;
        ++own.entities;
        own.with += has;
        each_attribute(entity, relation, [&](std::uint32_t id) {
          Count& count = counts[id];
          ++count.holders;
          count.with += has;
        });
      }
      gains.clear();
      for (const std::uint32_t id : counts.touched()) {
        const Count& count = *counts.find(id);
        if (count.holders < kMinHolders) continue;
        const double gain = entropy(own.with, own.entities) - entropy(count.with, count.holders) -
                            entropy(own.with - count.with, own.entities - count.holders);
        if (gain >= kMinGain) gains.push_back({-gain, {id, count.holders, count.with}});
      }
      const auto less = [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second.id < b.second.id;
      };
      const std::size_t kept = std::min(kAttributes, gains.size());
      std::partial_sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(kept), gains.end(), less);
      for (std::size_t i = 0; i < kept; ++i) own.attributes.push_back(gains[i].second);
      std::ranges::sort(own.attributes, {}, &Attribute::id);
    }
  });
}

float RelationOdds::log_odds(EntityId entity, DirectedRelation relation) const {
  const Classifier& own = classifiers_[index(relation)];
  std::uint32_t found = 0;  // a bit for each attribute
  each_attribute(entity, relation, [&](std::uint32_t id) {
    const auto at = std::ranges::lower_bound(own.attributes, id, {}, &Attribute::id);
    if (at != own.attributes.end() && at->id == id) found |= 1U << (at - own.attributes.begin());
  });
  // The entity itself is no evidence for what it has.
  const double has = graph_.find(entity, relation) == kNoSlot ? 0 : 1;
  const double counted = has > 0 || profiles_.share(entity, relation) >= min_share_ ? 1 : 0;
  const double all = own.entities - counted;
  const double all_with = own.with - has;
  const double all_without = all - all_with;
  double sum = std::log((all_with + 0.5) / (all_without + 0.5));
  for (std::size_t i = 0; i < own.attributes.size(); ++i) {
    const bool holds = (found >> i & 1U) != 0;
    const double holders = own.attributes[i].holders - (holds ? counted : 0);
    const double with = own.attributes[i].with - (holds ? has : 0);
    const double without = holders - with;
    const double share = (holders + 1) / (all + 2);
    sum += holds ? log_ratio(with, all_with, without, all_without, share)
                 : log_ratio(all_with - with, all_with, all_without - without, all_without, 1 - share);
  }
  return static_cast<float>(sum);
}

}  // namespace greenkgc::evidence
