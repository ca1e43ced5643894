#include "evidence/witnesses.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "evidence/sampled.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kMostBetween = 1000;  // entities tried as the middle of a path of length 2
constexpr std::size_t kMostEachSide = 64;   // and next to either end of one of length 3
constexpr std::size_t kWitnessMaxHoldersInAll = 100'000;
constexpr std::size_t kWitnessMaxAttributes = 500;
constexpr std::size_t kWitnessMaxHolders = 2000;
constexpr std::size_t kMostExamples = 3;
constexpr std::size_t kMostSlots = 20'000;

bool has(std::span<const EntityId> members, EntityId entity) {
  return std::binary_search(members.begin(), members.end(), entity);
}

// Looks for a way from both ends at once. A way of several steps cannot pass over the left-out fact, since it
// comes to either end only once.
class WayFinder {
 public:
  WayFinder(const QuestionView& view, EntityId answer)
      : view_(view), graph_(view.graph()), known_(view.known()), answer_(answer) {}

  // Empty: none was found.
  std::vector<EntityId> find(std::span<const DirectedRelation> body) const {
    if (body.size() == 1) return link(body[0]);
    if (known_ == answer_) return {};
    return body.size() == 2 ? through_one(body) : through_two(body);
  }

 private:
  std::vector<EntityId> link(DirectedRelation step) const {
    if (view_.leaves_out(step, answer_) || !has(graph_.members(known_, step), answer_)) return {};
    return {known_, answer_};
  }

  std::vector<EntityId> through_one(std::span<const DirectedRelation> body) const {
    auto fewer = graph_.members(known_, body[0]);
    auto more = graph_.members(answer_, inverse(body[1]));
    if (fewer.size() > more.size()) std::swap(fewer, more);
    const Sampled<EntityId> tried(fewer, kMostBetween);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (is_between(tried[i]) && has(more, tried[i])) return {known_, tried[i], answer_};
    }
    return {};
  }

  std::vector<EntityId> through_two(std::span<const DirectedRelation> body) const {
    const Sampled<EntityId> firsts(graph_.members(known_, body[0]), kMostEachSide);
    const Sampled<EntityId> seconds(graph_.members(answer_, inverse(body[2])), kMostEachSide);
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      if (!is_between(firsts[i])) continue;
      const auto next = graph_.members(firsts[i], body[1]);
      for (std::size_t j = 0; j < seconds.size(); ++j) {
        if (is_between(seconds[j]) && seconds[j] != firsts[i] && has(next, seconds[j]))
          return {known_, firsts[i], seconds[j], answer_};
      }
    }
    return {};
  }

  bool is_between(EntityId entity) const { return entity != known_ && entity != answer_; }

  const QuestionView& view_;
  const EvidenceGraph& graph_;
  EntityId known_;
  EntityId answer_;
};

AttributeWitness ask_holders(const QuestionView& view, Slot attribute, EntityId answer, std::size_t most) {
  const EvidenceGraph& graph = view.graph();
  const Sampled<EntityId> holders(graph.members(attribute), most);
  AttributeWitness witness{attribute, {}, holders.size() < graph.size(attribute), {}};
  for (std::size_t i = 0; i < holders.size(); ++i) {
    const Slot slot = holders[i] == view.known() ? kNoSlot : view.answer_slot(holders[i]);
    if (slot == kNoSlot) continue;
    ++witness.counts.pairs;
    if (!has(graph.members(slot), answer)) continue;
    ++witness.counts.facts;
    if (witness.examples.size() < kMostExamples) witness.examples.push_back(holders[i]);
  }
  return witness;
}

template <class Witness>
void sort_by_confidence(std::vector<Witness>& witnesses) {
  std::ranges::stable_sort(witnesses, std::greater<>(),
                           [](const Witness& witness) { return confidence(witness.counts); });
}

}  // namespace

std::vector<PathWitness> path_witnesses(const QuestionView& view, const RuleSet& rules, bool links,
                                        EntityId answer) {
  const EntityId left_out = view.query().left_out;
  const WayFinder to_answer(view, answer);
  const WayFinder to_left_out(view, left_out);
  std::vector<PathWitness> witnesses;
  for (std::uint32_t length = links ? 1 : 2; length <= kLongestBody; ++length) {
    for (const DirectedRule& rule : rules.of(view.relation(), length)) {
      const std::span<const DirectedRelation> body(rule.body.data(), length);
      std::vector<EntityId> way = to_answer.find(body);
      if (way.empty()) continue;
      RuleCounts counts = rule.from_known;
      if (left_out != kNoEntity && counts.facts > 0 && !to_left_out.find(body).empty()) {
        --counts.facts;
        --counts.pairs;
      }
      if (counts.facts > 0) witnesses.push_back({{body.begin(), body.end()}, counts, std::move(way)});
    }
  }
  sort_by_confidence(witnesses);
  return witnesses;
}

std::vector<AttributeWitness> attribute_witnesses(const QuestionView& view, EntityId answer) {
  const EvidenceGraph& graph = view.graph();
  const Sampled<Slot> attributes(graph.attributes(view.known()), kWitnessMaxAttributes);
  std::vector<AttributeWitness> witnesses;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const EntityId owner = graph.owner(attributes[i]);
    if (owner == view.known() || owner == answer || view.leaves_out(view.known(), attributes[i])) continue;
    AttributeWitness witness =
        ask_holders(view, attributes[i], answer,
                    std::min(kWitnessMaxHolders, kWitnessMaxHoldersInAll / attributes.size()));
    if (witness.counts.facts > 0) witnesses.push_back(std::move(witness));
  }
  sort_by_confidence(witnesses);
  return witnesses;
}

RuleCounts base_counts(const QuestionView& view, EntityId answer) {
  const EvidenceGraph& graph = view.graph();
  const auto others = [&](std::size_t all, bool with_known) {
    return static_cast<std::uint32_t>(all - (with_known ? 1 : 0));
  };
  const auto holders = graph.members(answer, inverse(view.relation()));
  return {.pairs = others(graph.slots_of(view.relation()).size(), view.answer_slot(view.known()) != kNoSlot),
          .facts = others(holders.size(), has(holders, view.known()))};
}

RuleCounts single_counts(const QuestionView& view) {
  const Sampled<Slot> slots(view.graph().slots_of(view.relation()), kMostSlots);
  RuleCounts counts;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t answers = view.size(slots[i]);
    if (answers > 0) ++counts.pairs;
    if (answers == 1) ++counts.facts;
  }
  return counts;
}

}  // namespace greenkgc::evidence
