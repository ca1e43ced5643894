#include "evidence/learn_walks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {
namespace {

constexpr float kLeastWeight = 0.004F;  // that is kept
constexpr double kLeastShare = 1e-4;    // of a fact's walks, for a length to be learned from

// The entities from which an answer is reached within a few steps, by small numbers.
class Surroundings {
 public:
  explicit Surroundings(const EvidenceGraph& graph) : graph_(graph), places_(graph.entity_count()) {}

  // As far as so many edges reach; without `not_over`.
  void find(EntityId answer, EntityId not_over, std::size_t edges) {
    places_.clear();
    steps_.clear();
    complete_ = 0;
    add(answer, 0);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::uint32_t steps = steps_[i];
      if (steps > complete_) complete_ = steps;
      if (steps + 1 == kLongestWalk) break;
      const EntityId entity{places_.touched()[i]};
      seen += graph_.degree(entity);
      if (seen > edges) return;
      for (const EntityId next : graph_.neighbours(entity)) {
        if (next != not_over && !places_.contains(index(next))) add(next, steps + 1);
      }
      if (i + 1 == steps_.size()) complete_ = kLongestWalk;
    }
  }
  // Up to how many steps away all are known.
  std::uint32_t complete() const { return complete_; }
  std::size_t size() const { return steps_.size(); }
  std::uint32_t steps(std::uint32_t place) const { return steps_[place]; }
  EntityId entity(std::uint32_t place) const { return EntityId{places_.touched()[place]}; }
  const std::uint32_t* place(EntityId entity) const { return places_.find(index(entity)); }

 private:
  void add(EntityId entity, std::uint32_t steps) {
    places_[index(entity)] = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(steps);
  }

  const EvidenceGraph& graph_;
  StampedArray<std::uint32_t> places_;
  std::vector<std::uint32_t> steps_;  // to the answer
  std::uint32_t complete_ = 0;
};

// Learns the steps of one directed relation after another.
class WalkLearner {
 public:
  WalkLearner(const EvidenceGraph& graph, const WalkOptions& options)
      : graph_(graph), options_(options), table_(graph.directed_count()), around_(graph) {
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      for (std::uint32_t place = 0; place < length; ++place)
        counts_[length][place].resize(graph.directed_count());
    }
  }

  void learn(DirectedRelation head, std::uint32_t facts, std::vector<WalkStep>& out) {
    head_ = head;
    begin();
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      clear_counts();
      for_each_fact(facts, [&](EntityId known, EntityId answer) { expect(known, answer); });
      maximise();
    }
    store(out);
  }

 private:
  using Masses = std::vector<std::pair<std::uint32_t, double>>;  // by place around the answer

  void begin() {
    const float equal = 1.0F / static_cast<float>(graph_.directed_count());
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      for (std::uint32_t place = 0; place < length; ++place)
        std::ranges::fill(table_.row(length, place), equal);
    }
  }
  void clear_counts() {
    for (auto& of_length : counts_) {
      for (auto& of_place : of_length) std::ranges::fill(of_place, 0.0);
    }
  }

  // Evenly spread over those of the relation.
  template <class Act>
  void for_each_fact(std::uint64_t wanted, const Act& act) {
    const std::uint64_t facts = graph_.fact_count(head_);
    wanted = std::min(wanted, facts);
    std::uint64_t passed = 0;  // facts of the slots before
    std::uint64_t number = 0;
    for (const Slot slot : graph_.slots_of(head_)) {
      const auto members = graph_.members(slot);
      for (; number < wanted && number * facts / wanted < passed + members.size(); ++number)
        act(graph_.owner(slot), members[number * facts / wanted - passed]);
      passed += members.size();
    }
  }

  // Adds how often walks from the known entity to the answer are expected to take each step.
  void expect(EntityId known, EntityId answer) {
    if (known == answer || graph_.degree(known) > options_.edges) return;
    known_ = known;
    answer_ = answer;
    around_.find(answer, known, options_.edges);
    values_.assign(around_.size(), 0.0);
    std::array<double, kLongestWalk + 1> reached{};
    double all = 0;
    const std::uint32_t longest = std::min(kLongestWalk, around_.complete() + 1);
    for (std::uint32_t length = kShortestWalk; length <= longest; ++length) {
      walk_there(length);
      reached[length] = masses_[length].empty() ? 0 : masses_[length][0].second;
      all += reached[length];
    }
    for (std::uint32_t length = kShortestWalk; length <= longest; ++length) {
      if (reached[length] <= kLeastShare * all) continue;
      walk_there(length);
      walk_back(length, 1 / all);
    }
  }

  bool is_the_fact(EntityId from, DirectedRelation relation, EntityId to) const {
    return (from == known_ && to == answer_ && relation == head_) ||
           (from == answer_ && to == known_ && relation == inverse(head_));
  }

  // masses_[i]: how likely a walk is where after i steps, of those from where the answer can be met in time.
  void walk_there(std::uint32_t length) {
    leave(known_, 1, length, 0);
    collect(1);
    for (std::uint32_t taken = 1; taken < length; ++taken) {
      for (const auto& [place, mass] : masses_[taken]) leave(around_.entity(place), mass, length, taken);
      collect(taken + 1);
    }
  }
  void leave(EntityId entity, double mass, std::uint32_t length, std::uint32_t taken) {
    const auto weights = std::as_const(table_).row(length, taken);
    const bool is_last = taken + 1 == length;
    const SlotRange slots = graph_.slots(entity);
    for (std::uint32_t s = slots.first; s < slots.last; ++s) {
      const DirectedRelation relation = graph_.relation(Slot{s});
      if (weights[index(relation)] == 0) continue;
      const auto members = graph_.members(Slot{s});
      const double each = mass * weights[index(relation)] / static_cast<double>(members.size());
      for (const EntityId next : members) {
        const std::uint32_t* place = around_.place(next);
        if (place == nullptr || (*place == 0) != is_last || around_.steps(*place) > length - taken - 1 ||
            is_the_fact(entity, relation, next))
          continue;
        if (values_[*place] == 0) touched_.push_back(*place);
        values_[*place] += each;
      }
    }
  }
  void collect(std::uint32_t taken) {
    masses_[taken].clear();
    for (const std::uint32_t place : touched_)
      masses_[taken].emplace_back(place, std::exchange(values_[place], 0.0));
    touched_.clear();
  }

  // After walk_there of that length: shares the walks out over their steps.
  void walk_back(std::uint32_t length, double scale) {
    values_[0] = scale;  // how likely the answer is met from each place, in what steps are left
    for (std::uint32_t taken = length; taken-- > 1;) {
      onward_.clear();
      for (const auto& [place, mass] : masses_[taken])
        onward_.emplace_back(place, share_out(around_.entity(place), mass, length, taken));
      for (const auto& [place, mass] : masses_[taken + 1]) values_[place] = 0;
      for (const auto& [place, value] : onward_) values_[place] = value;
    }
    share_out(known_, 1, length, 0);
    for (const auto& [place, mass] : masses_[1]) values_[place] = 0;
  }
  double share_out(EntityId entity, double mass, std::uint32_t length, std::uint32_t taken) {
    const auto weights = std::as_const(table_).row(length, taken);
    const SlotRange slots = graph_.slots(entity);
    double sum = 0;
    for (std::uint32_t s = slots.first; s < slots.last; ++s) {
      const DirectedRelation relation = graph_.relation(Slot{s});
      if (weights[index(relation)] == 0) continue;
      const auto members = graph_.members(Slot{s});
      double met = 0;
      for (const EntityId next : members) {
        const std::uint32_t* place = around_.place(next);
        if (place != nullptr && !is_the_fact(entity, relation, next)) met += values_[*place];
      }
      met *= weights[index(relation)] / static_cast<double>(members.size());
      counts_[length][taken][index(relation)] += mass * met;
      sum += met;
    }
    return sum;
  }

  void maximise() {
    std::array<double, kLongestWalk + 1> walks{};
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      for (const double count : counts_[length][0]) walks[length] += count;
    }
    double all = 0;
    for (const double count : walks) all += count;
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      for (std::uint32_t place = 0; place < length; ++place) {
        const auto row = table_.row(length, place);
        const double whole = place == 0 ? all : walks[length];
        for (std::size_t r = 0; r < row.size(); ++r)
          row[r] = whole > 0 ? static_cast<float>(counts_[length][place][r] / whole) : 0;
      }
    }
  }

  void store(std::vector<WalkStep>& out) const {
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      for (std::uint32_t place = 0; place < length; ++place) {
        const auto row = table_.row(length, place);
        for (std::uint32_t r = 0; r < row.size(); ++r) {
          if (row[r] < kLeastWeight) continue;
          out.push_back({index(head_), length, place, r,
                         static_cast<std::uint32_t>(std::lround(row[r] * kWholeWeight))});
        }
      }
    }
  }

  const EvidenceGraph& graph_;
  const WalkOptions& options_;
  StepTable table_;
  Surroundings around_;
  DirectedRelation head_{};
  EntityId known_{};
  EntityId answer_{};
  std::array<std::array<std::vector<double>, kLongestWalk>, kLongestWalk + 1> counts_;  // by relation
  std::array<Masses, kLongestWalk + 1> masses_;
  Masses onward_;
  std::vector<double> values_;          // by place; 0 between walks
  std::vector<std::uint32_t> touched_;  // those that are not 0, while a step is taken
};

}  // namespace

WalkSteps learn_walks(const EvidenceGraph& graph, const WalkOptions& options, const Context& context) {
  const std::uint32_t heads = graph.directed_count();
  const std::uint32_t facts =
      std::min(options.most_facts, std::max(options.least_facts, options.facts / std::max(1U, heads)));
  std::vector<std::vector<WalkStep>> found(heads);
  ProgressTask task(context, "learning walks", heads, "relations");
  const std::size_t chunk = std::max<std::size_t>(1, heads / 64);  // a learner's memory is by entity
  parallel_for(context, heads, chunk, [&](std::size_t begin, std::size_t end) {
    WalkLearner learner(graph, options);
    for (std::size_t r = begin; r < end; ++r) {
      learner.learn(DirectedRelation{static_cast<std::uint32_t>(r)}, facts, found[r]);
      task.advance(1);
    }
  });
  std::vector<WalkStep> steps;
  for (const auto& of_head : found) steps.insert(steps.end(), of_head.begin(), of_head.end());
  return {std::move(steps), heads};
}

}  // namespace greenkgc::evidence
