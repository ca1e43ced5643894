#include "evidence/evidence_graph.h"

#include <gtest/gtest.h>

#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

std::vector<EntityId> listed(const std::set<EntityId>& set) {
  return {set.begin(), set.end()};
}
std::vector<EntityId> listed(std::span<const EntityId> span) {
  return {span.begin(), span.end()};
}

TEST(EvidenceGraph, FollowsFactsBothWays) {
  const RandomGraph reference(12, 4, 90, 1);
  const EvidenceGraph graph = reference.indexed();
  EXPECT_EQ(graph.fact_count(), 90U);
  for (std::uint32_t e = 0; e < 12; ++e) {
    std::uint32_t degree = 0;
    for (std::uint32_t d = 0; d < 8; ++d) {
      const auto expected = reference.members(EntityId{e}, DirectedRelation{d});
      EXPECT_EQ(listed(graph.members(EntityId{e}, DirectedRelation{d})), listed(expected));
      EXPECT_EQ(graph.find(EntityId{e}, DirectedRelation{d}) == kNoSlot, expected.empty());
      degree += static_cast<std::uint32_t>(expected.size());
    }
    EXPECT_EQ(graph.degree(EntityId{e}), degree);
  }
}

TEST(EvidenceGraph, AttributesLeadBackToTheOwner) {
  const EvidenceGraph graph = RandomGraph(15, 3, 80, 2).indexed();
  for (std::uint32_t s = 0; s < graph.slot_count(); ++s) {
    const Slot slot{s};
    EXPECT_EQ(graph.find(graph.owner(slot), graph.relation(slot)), slot);
    for (std::size_t i = 0; i < graph.members(slot).size(); ++i) {
      const Slot back = graph.attributes(slot)[i];
      EXPECT_EQ(graph.owner(back), graph.members(slot)[i]);
      EXPECT_EQ(graph.relation(back), inverse(graph.relation(slot)));
    }
  }
}

TEST(EvidenceGraph, ListsSlotsByRelation) {
  const RandomGraph reference(10, 5, 60, 3);
  const EvidenceGraph graph = reference.indexed();
  std::size_t slots = 0;
  for (std::uint32_t d = 0; d < 10; ++d) {
    std::uint32_t facts = 0;
    EntityId last = kNoEntity;
    for (const Slot slot : graph.slots_of(DirectedRelation{d})) {
      EXPECT_EQ(graph.relation(slot), DirectedRelation{d});
      EXPECT_TRUE(last == kNoEntity || last < graph.owner(slot));
      last = graph.owner(slot);
      facts += graph.size(slot);
    }
    slots += graph.slots_of(DirectedRelation{d}).size();
    const auto of_relation =
        std::ranges::count_if(reference.facts, [&](const Triple& f) { return index(f.relation) == d / 2; });
    EXPECT_EQ(graph.fact_count(DirectedRelation{d}), of_relation);
    EXPECT_EQ(facts, of_relation);
  }
  EXPECT_EQ(slots, graph.slot_count());
}

TEST(EvidenceGraph, EntitiesWithoutFactsHaveNoSlots) {
  RandomGraph reference(3, 2, 0, 1);
  reference.facts = {{EntityId{0}, RelationId{1}, EntityId{0}}};
  const EvidenceGraph graph = reference.indexed();
  EXPECT_EQ(graph.degree(EntityId{0}), 2U);
  EXPECT_EQ(graph.degree(EntityId{2}), 0U);
  EXPECT_TRUE(graph.slots_of(DirectedRelation{0}).empty());
  EXPECT_EQ(RandomGraph(0, 0, 0, 1).indexed().slot_count(), 0U);
}

}  // namespace
}  // namespace greenkgc::evidence
