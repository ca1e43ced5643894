#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

// The ways to read a fact as (owner, label, member).
struct ByHead {  // (h, r, t)
  using Label = RelationId;
  using Member = EntityId;
  static EntityId owner(const Triple& fact) { return fact.head; }
  static Label label(const Triple& fact) { return fact.relation; }
  static Member member(const Triple& fact) { return fact.tail; }
};
struct ByTail {  // (t, r, h)
  using Label = RelationId;
  using Member = EntityId;
  static EntityId owner(const Triple& fact) { return fact.tail; }
  static Label label(const Triple& fact) { return fact.relation; }
  static Member member(const Triple& fact) { return fact.head; }
};
struct ByPair {  // (h, t, r)
  using Label = EntityId;
  using Member = RelationId;
  static EntityId owner(const Triple& fact) { return fact.head; }
  static Label label(const Triple& fact) { return fact.tail; }
  static Member member(const Triple& fact) { return fact.relation; }
};

template <class Order>
class FactPacking;

// Facts sorted by owner, label and member, each once. 8 bytes per fact and 4 per entity. Immutable: const
// calls may run in several threads. An entity beyond the count has no facts.
template <class Order>
class FactIndex {
 public:
  using Label = typename Order::Label;
  using Member = typename Order::Member;
  // What one owner has: members[i] goes with labels[i].
  struct Row {
    std::span<const Label> labels;
    std::span<const Member> members;
  };

  FactIndex() = default;
  // All ids are below the counts. Facts may repeat; more than 2^32 - 1 of them throw kBadInput. The result is
  // the same for any number of threads. While it is made, it needs 8 bytes more per fact, or 16 where the
  // three ids of a fact together have more than 64 bits.
  FactIndex(std::span<const std::span<const Triple>> parts, std::uint32_t entity_count,
            const Context& context);

  Row row(EntityId owner) const;
  std::span<const Member> find(EntityId owner, Label label) const;

  std::span<const Label> labels() const { return labels_; }  // of all facts, owner by owner
  std::size_t size() const { return members_.size(); }
  std::size_t bytes() const;

 private:
  template <class Key>
  void build(std::span<const Key> sorted, const FactPacking<Order>& packing, const Context& context);

  // The row of entity e is at [offsets_[e], offsets_[e + 1]).
  std::vector<std::uint32_t> offsets_;  // one per entity, and one more
  std::vector<Label> labels_;
  std::vector<Member> members_;
};

// Those facts that occur more than once, sorted, each once. Throws as FactIndex does.
std::vector<Triple> repeated_facts(std::span<const Triple> facts, const Context& context);

}  // namespace greenkgc::graph
