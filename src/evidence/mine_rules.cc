#include "evidence/mine_rules.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "evidence/path_walk.h"

namespace greenkgc::evidence {
namespace {

constexpr std::uint32_t kStream = 0x52554C45;  // of random numbers
constexpr std::size_t kMostBodies = 20'000;    // of one fact
constexpr std::size_t kMostFound = 2'000'000;  // of one relation, repeats included: 32 MB; then no more facts
constexpr std::uint32_t kTriedPerRule = 2;     // bodies that are counted, for each that is kept

using Body = std::array<DirectedRelation, kLongestBody>;
struct FoundBody {
  std::uint32_t length;
  Body body;

  friend auto operator<=>(const FoundBody&, const FoundBody&) = default;
};

// Finds bodies between the ends of single facts.
class BodyFinder {
 public:
  BodyFinder(const EvidenceGraph& graph, std::uint32_t walked, const CounterRandom& random)
      : graph_(graph), walked_(walked), random_(random), to_tail_(graph.entity_count()) {}

  // Appends each body that links the two without the fact itself, once.
  void find(EntityId head, DirectedRelation relation, EntityId tail, std::uint64_t fact_number,
            std::vector<FoundBody>& out) {
    counter_ = fact_number << 32;
    found_.clear();
    find_links(head, relation, tail);
    mark_steps_to(tail);
    find_paths(head, tail);
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    out.insert(out.end(), found_.begin(), found_.end());
  }

 private:
  struct Step {
    EntityId member;
    DirectedRelation relation;
  };

  void find_links(EntityId head, DirectedRelation relation, EntityId tail) {
    const SlotRange slots = graph_.slots(head);
    for (std::uint32_t s = slots.first; s < slots.last; ++s) {
      const DirectedRelation link = graph_.relation(Slot{s});
      const auto members = graph_.members(Slot{s});
      if (link != relation && std::binary_search(members.begin(), members.end(), tail))
        found_.push_back({1, {link}});
    }
  }

  // A few members of each slot, from a random one on; in all at most `walked` slots.
  void sample_steps(EntityId entity, std::vector<Step>& out) {
    out.clear();
    const SlotRange slots = graph_.slots(entity);
    const std::uint32_t taken = std::min(slots.size(), walked_);
    if (taken == 0) return;
    const std::uint32_t per_slot = std::max(1U, walked_ / taken);
    const auto first = static_cast<std::uint32_t>(random_.below(slots.size(), counter_++));
    for (std::uint32_t i = 0; i < taken; ++i) {
      const Slot slot{slots.first + (first + i) % slots.size()};
      const auto members = graph_.members(slot);
      const std::size_t count = std::min<std::size_t>(members.size(), per_slot);
      const std::size_t start = count < members.size() ? random_.below(members.size(), counter_++) : 0;
      for (std::size_t j = 0; j < count; ++j)
        out.push_back(
            {members[(start + j * members.size() / count) % members.size()], graph_.relation(slot)});
    }
  }

  void mark_steps_to(EntityId tail) {
    sample_steps(tail, last_steps_);
    std::ranges::sort(last_steps_, {}, [](const Step& s) { return s.member; });
    to_tail_.clear();
    for (std::uint32_t i = 0; i < last_steps_.size(); ++i) {
      Span& span = to_tail_[index(last_steps_[i].member)];
      if (span.end == 0) span.begin = i;
      span.end = i + 1;
    }
  }

  void add_ends(std::uint32_t length, Body body, EntityId last) {
    const Span* span = to_tail_.find(index(last));
    if (span == nullptr || found_.size() > kMostBodies) return;
    for (std::uint32_t i = span->begin; i < span->end; ++i) {
      body[length - 1] = inverse(last_steps_[i].relation);
      found_.push_back({length, body});
    }
  }

  void find_paths(EntityId head, EntityId tail) {
    sample_steps(head, first_steps_);
    for (const Step& first : first_steps_) {
      if (first.member == head || first.member == tail) continue;
      add_ends(2, {first.relation}, first.member);
      sample_steps(first.member, second_steps_);
      for (const Step& second : second_steps_) {
        if (second.member == head || second.member == tail) continue;
        add_ends(3, {first.relation, second.relation}, second.member);
      }
    }
  }

  struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  const EvidenceGraph& graph_;
  std::uint32_t walked_;
  CounterRandom random_;
  std::uint64_t counter_ = 0;
  std::vector<FoundBody> found_;
  std::vector<Step> first_steps_;
  std::vector<Step> second_steps_;
  std::vector<Step> last_steps_;  // from the tail, by member
  StampedArray<Span> to_tail_;    // by member: its part of last_steps_
};

// Mines the rules of one relation.
class RelationMiner {
 public:
  RelationMiner(const EvidenceGraph& graph, const MiningOptions& options, RelationId relation,
                std::uint64_t seed)
      : graph_(graph),
        options_(options),
        head_(relation),
        random_(seed, kStream + index(relation)),
        walk_(graph, {.members = options.walked, .on_way = options.walked, .steps = options.pairs}) {}

  std::vector<Rule> mine() {
    find_bodies();
    choose_bodies();
    for (const Side side : {Side::kTail, Side::kHead}) count_from(side);
    return best_rules();
  }

 private:
  void find_bodies() {
    BodyFinder finder(graph_, options_.walked, random_);
    const DirectedRelation forwards = towards(head_, Side::kTail);
    const std::uint64_t facts = graph_.fact_count(forwards);
    const std::uint64_t wanted = std::min<std::uint64_t>(options_.facts, facts);
    std::uint64_t passed = 0;  // facts of the slots before
    std::uint64_t number = 0;
    for (const Slot slot : graph_.slots_of(forwards)) {
      const auto members = graph_.members(slot);
      for (; number < wanted && number * facts / wanted < passed + members.size(); ++number) {
        if (found_.size() > kMostFound) return;
        finder.find(graph_.owner(slot), forwards, members[number * facts / wanted - passed], number + 1,
                    found_);
      }
      passed += members.size();
    }
  }

  // Those that were found most often, sorted.
  void choose_bodies() {
    std::ranges::sort(found_);
    struct Counted {
      std::uint32_t count;
      FoundBody body;
    };
    std::array<std::vector<Counted>, kLongestBody> by_length;
    for (auto at = found_.begin(); at != found_.end();) {
      const auto next = std::upper_bound(at, found_.end(), *at);
      const auto count = static_cast<std::uint32_t>(next - at);
      if (count >= options_.least_support) by_length[at->length - 1].push_back({count, *at});
      at = next;
    }
    for (auto& counted : by_length) {
      std::ranges::sort(counted, [](const Counted& a, const Counted& b) {
        return a.count != b.count ? a.count > b.count : a.body < b.body;
      });
      counted.resize(std::min<std::size_t>(counted.size(), std::size_t{options_.rules} * kTriedPerRule));
      std::ranges::sort(counted, {}, [](const Counted& c) { return c.body; });
      for (const Counted& c : counted) rules_.push_back({head_, c.body.length, c.body.body, {}, {}});
    }
  }

  void count_from(Side side) {
    const bool forwards = side == Side::kTail;
    const Sampled<Slot> slots(graph_.slots_of(towards(head_, side)), options_.known);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      walk_.begin(graph_.owner(slots[i]), DirectedRelation{}, kNoEntity);
      for (Rule& rule : rules_) {
        Body body = rule.body;
        if (!forwards) {
          std::reverse(body.begin(), body.begin() + rule.length);
          for (std::size_t j = 0; j < rule.length; ++j) body[j] = inverse(body[j]);
        }
        count_pairs(slots[i], {body.data(), rule.length}, forwards ? rule.from_known : rule.from_answer);
      }
    }
  }

  void count_pairs(Slot known, std::span<const DirectedRelation> body, RuleCounts& counts) {
    const auto answers = graph_.members(known);
    const auto count = [&](EntityId end) {
      ++counts.pairs;
      counts.facts += std::binary_search(answers.begin(), answers.end(), end) ? 1 : 0;
    };
    if (body.size() > 1) {
      for (const std::uint32_t end : walk_.ends(body)) count(EntityId{end});
      return;
    }
    const Sampled<EntityId> members(graph_.members(graph_.owner(known), body[0]), options_.pairs);
    for (std::size_t i = 0; i < members.size(); ++i) count(members[i]);
  }

  std::vector<Rule> best_rules() {
    const auto strength = [](const Rule& rule) {
      return confidence(rule.from_known) + confidence(rule.from_answer);
    };
    std::erase_if(rules_, [&](const Rule& rule) {
      return rule.from_known.facts + rule.from_answer.facts < options_.least_support;
    });
    std::ranges::stable_sort(rules_, [&](const Rule& a, const Rule& b) {
      return a.length != b.length ? a.length < b.length : strength(a) > strength(b);
    });
    std::array<std::uint32_t, kLongestBody> kept{};
    std::erase_if(rules_, [&](const Rule& rule) { return ++kept[rule.length - 1] > options_.rules; });
    return std::move(rules_);
  }

  const EvidenceGraph& graph_;
  const MiningOptions& options_;
  RelationId head_;
  CounterRandom random_;
  PathWalk walk_;
  std::vector<FoundBody> found_;
  std::vector<Rule> rules_;
};

}  // namespace

RuleSet mine_rules(const EvidenceGraph& graph, const MiningOptions& options, const Context& context) {
  const std::uint32_t relations = graph.directed_count() / 2;
  MiningOptions each = options;  // of one relation
  each.facts = std::max(options.least_facts, options.facts / std::max(1U, relations));
  each.known = std::max(options.least_known, options.known / std::max(1U, relations));
  std::vector<std::vector<Rule>> found(relations);
  ProgressTask task(context, "mining rules", relations, "relations");
  parallel_for(context, relations, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      found[r] = RelationMiner(graph, each, RelationId{static_cast<std::uint32_t>(r)}, context.seed).mine();
      task.advance(1);
    }
  });
  std::vector<Rule> rules;
  for (const auto& of_relation : found) rules.insert(rules.end(), of_relation.begin(), of_relation.end());
  return {std::move(rules), relations};
}

}  // namespace greenkgc::evidence
