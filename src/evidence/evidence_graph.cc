#include "evidence/evidence_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "greenkgc/error.h"

namespace greenkgc::evidence {
namespace {

constexpr std::uint64_t kMostFacts = 0x7FFFFFFF;
constexpr std::size_t kEntitiesAtOnce = 1024;

template <class Value>
std::size_t bytes_of(const std::vector<Value>& values) {
  return values.size() * sizeof(Value);
}

}  // namespace

EvidenceGraph::EvidenceGraph(const graph::KnownFacts& facts, std::uint32_t entity_count,
                             std::uint32_t relation_count, const Context& context) {
  if (facts.size() > kMostFacts)
    throw Error(ErrorCode::kBadInput, fmt::format("evidence can be read from at most {} facts; there are {}",
                                                  kMostFacts, facts.size()));
  first_slots_.reserve(entity_count + std::size_t{1});
  members_.reserve(2 * facts.size());
  for (std::uint32_t e = 0; e < entity_count; ++e) {
    if (e % kEntitiesAtOnce == 0) context.check_cancelled();
    first_slots_.push_back(static_cast<std::uint32_t>(relations_.size()));
    add_slots(EntityId{e}, facts);
  }
  first_slots_.push_back(static_cast<std::uint32_t>(relations_.size()));
  ends_.push_back(static_cast<std::uint32_t>(members_.size()));
  relations_.shrink_to_fit();
  owners_.shrink_to_fit();
  ends_.shrink_to_fit();
  list_by_relation(2 * relation_count);
  find_backs(context);
}

void EvidenceGraph::add_slots(EntityId entity, const graph::KnownFacts& facts) {
  const graph::Edges out = facts.out_edges(entity);
  const graph::Edges in = facts.in_edges(entity);
  // Takes the run of one relation from `edges`, if it is there.
  const auto take = [&](const graph::Edges& edges, std::size_t& at, RelationId relation, Side side) {
    if (at == edges.relations.size() || edges.relations[at] != relation) return;
    relations_.push_back(towards(relation, side));
    owners_.push_back(entity);
    ends_.push_back(static_cast<std::uint32_t>(members_.size()));
    for (; at < edges.relations.size() && edges.relations[at] == relation; ++at)
      members_.push_back(edges.others[at]);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < out.relations.size() || j < in.relations.size()) {
    const RelationId next = std::min(i < out.relations.size() ? out.relations[i] : kNoRelation,
                                     j < in.relations.size() ? in.relations[j] : kNoRelation);
    take(out, i, next, Side::kTail);
    take(in, j, next, Side::kHead);
  }
}

void EvidenceGraph::list_by_relation(std::uint32_t directed_count) {
  by_relation_ends_.assign(directed_count + std::size_t{1}, 0);
  fact_counts_.assign(directed_count, 0);
  for (std::uint32_t s = 0; s < slot_count(); ++s) {
    ++by_relation_ends_[index(relations_[s]) + 1];
    fact_counts_[index(relations_[s])] += size(Slot{s});
  }
  std::partial_sum(by_relation_ends_.begin(), by_relation_ends_.end(), by_relation_ends_.begin());
  by_relation_.resize(slot_count());
  std::vector<std::uint32_t> next(by_relation_ends_.begin(), by_relation_ends_.end() - 1);
  for (std::uint32_t s = 0; s < slot_count(); ++s) by_relation_[next[index(relations_[s])]++] = Slot{s};
}

void EvidenceGraph::find_backs(const Context& context) {
  backs_.resize(members_.size());
  parallel_for(context, slot_count(), kEntitiesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const DirectedRelation back = inverse(relations_[s]);
      for (std::uint32_t i = ends_[s]; i < ends_[s + 1]; ++i) backs_[i] = find(members_[i], back);
    }
  });
}

Slot EvidenceGraph::find(EntityId entity, DirectedRelation relation) const {
  const SlotRange range = slots(entity);
  if (range.size() == 0) return kNoSlot;
  // Without branches that cannot be foreseen: the last slot whose relation is at most the wanted one, or the
  // first.
  std::uint32_t at = range.first;
  for (std::uint32_t n = range.size(); n > 1;) {
    const std::uint32_t half = n / 2;
    at += relations_[at + half] <= relation ? half : 0;
    n -= half;
  }
  return relations_[at] == relation ? Slot{at} : kNoSlot;
}

std::span<const EntityId> EvidenceGraph::members(EntityId entity, DirectedRelation relation) const {
  const Slot slot = find(entity, relation);
  return slot == kNoSlot ? std::span<const EntityId>() : members(slot);
}

std::span<const EntityId> EvidenceGraph::neighbours(EntityId entity) const {
  const SlotRange range = slots(entity);
  return {members_.data() + ends_[range.first], members_.data() + ends_[range.last]};
}

std::span<const Slot> EvidenceGraph::attributes(EntityId entity) const {
  const SlotRange range = slots(entity);
  return {backs_.data() + ends_[range.first], backs_.data() + ends_[range.last]};
}

std::span<const Slot> EvidenceGraph::slots_of(DirectedRelation relation) const {
  return {by_relation_.data() + by_relation_ends_[index(relation)],
          by_relation_.data() + by_relation_ends_[index(relation) + 1]};
}

std::size_t EvidenceGraph::bytes() const {
  return bytes_of(first_slots_) + bytes_of(relations_) + bytes_of(owners_) + bytes_of(ends_) +
         bytes_of(members_) + bytes_of(backs_) + bytes_of(by_relation_) + bytes_of(by_relation_ends_) +
         bytes_of(fact_counts_);
}

}  // namespace greenkgc::evidence
