#include "rank/discover.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

#include "base/progress.h"
#include "rank/best_facts.h"
#include "rank/candidate_counts.h"
#include "rank/fact_margins.h"
#include "rank/tree_scores.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kQueriesAtOnce = 16'384;
constexpr std::size_t kPairsAtOnce = std::size_t{1} << 18;
// How much longer a fact takes on its own than as one of all tails of a head. Measured: 1.42 us and 25 ns,
// with 200 trees of depth 5.
constexpr std::size_t kPairCost = 64;

// Takes candidates, keeps the best.
class Selection {
 public:
  Selection(const model::Decisions& decisions, std::size_t top, double least_probability)
      : decisions_(decisions),
        least_probability_(least_probability),
        best_(top),
        hopeless_(decisions.groups.size(), kLeftOut) {}

  static constexpr float kLeftOut = -std::numeric_limits<float>::infinity();  // a margin that is never kept

  void consider(const Triple& fact, float margin) {
    const std::uint32_t group = decisions_.group_of[index(fact.relation)];
    if (!(margin > hopeless_[group])) return;
    const double probability = decisions_.groups[group].calibration.probability(static_cast<double>(margin));
    if (probability < std::max(least_probability_, best_.least_probability())) {
      hopeless_[group] = margin;
    } else {
      best_.add({fact, margin, probability, false});
    }
  }
  const BestFacts& best() const { return best_; }

 private:
  const model::Decisions& decisions_;
  const double least_probability_;
  BestFacts best_;
  std::vector<float>
      hopeless_;  // by group: no margin up to this one is probable enough, for curves never fall
};

// One call of discover_facts.
class Discovery {
 public:
  Discovery(const model::Decisions& decisions, const DiscoverOptions& options, const Context& context)
      : decisions_(decisions),
        options_(options),
        entities_(decisions.tables.entities.rows()),
        within_(context),
        progress_(context, "searching for missing facts", candidate_count(), "candidates"),
        best_(options.top) {
    within_.progress = nullptr;
  }

  std::vector<FoundFact> run() && {
    for (const RelationId relation : options_.relations) {
      const bool loops = allows_loops(relation);
      for (std::size_t i = 0; i < head_count(relation); ++i) {
        if (has_few_tails(relation)) {
          add_pairs(head(relation, i), relation, loops);
        } else {
          add_query({{head(relation, i), relation, Side::kTail}, loops});
        }
      }
    }
    score_pairs();
    score_queries();
    return std::move(best_).sorted();
  }

 private:
  class Sink;
  struct TailQuery {
    Query query;
    bool loops;  // the head may be its own tail
  };

  std::size_t head_count(RelationId relation) const {
    return options_.ranges == nullptr ? entities_ : options_.ranges->heads(relation).size();
  }
  EntityId head(RelationId relation, std::size_t i) const {
    return options_.ranges == nullptr ? EntityId{static_cast<std::uint32_t>(i)}
                                      : options_.ranges->heads(relation)[i];
  }
  // So few that scoring them one by one takes less time than all entities together.
  bool has_few_tails(RelationId relation) const {
    return options_.ranges != nullptr && options_.ranges->tails(relation).size() < entities_ / kPairCost;
  }
  std::uint64_t candidate_count() const {
    std::uint64_t count = 0;
    for (const RelationId relation : options_.relations)
      count += head_count(relation) *
               (has_few_tails(relation) ? options_.ranges->tails(relation).size() : entities_);
    return count;
  }
  bool allows_loops(RelationId relation) const {
    if (options_.ranges == nullptr) return true;
    const auto heads = options_.ranges->heads(relation);
    return std::any_of(heads.begin(), heads.end(), [&](EntityId entity) {
      return options_.known->contains({entity, relation, entity});
    });
  }

  void add_pairs(EntityId head, RelationId relation, bool loops) {
    IdCursor known(options_.known->tails(head, relation));
    for (const EntityId tail : options_.ranges->tails(relation)) {
      bool left_out = tail == head && !loops;
      known.skip_below(index(tail));
      known.for_each_below(index(tail) + std::size_t{1}, [&](std::uint32_t) { left_out = true; });
      if (!left_out) pairs_.push_back({head, relation, tail});
    }
    pair_candidates_ += options_.ranges->tails(relation).size();
    if (pairs_.size() >= kPairsAtOnce) score_pairs();
  }
  void add_query(const TailQuery& query) {
    queries_.push_back(query);
    if (queries_.size() == kQueriesAtOnce) score_queries();
  }
  void score_pairs();
  void score_queries();

  Selection new_selection() const {
    const std::scoped_lock lock(mutex_);
    return {decisions_, options_.top, std::max(options_.min_probability, best_.least_probability())};
  }
  void take(const Selection& selection, std::uint64_t candidates) {
    {
      const std::scoped_lock lock(mutex_);
      for (const FoundFact& fact : selection.best().in_any_order()) best_.add(fact);
    }
    progress_.advance(candidates);
  }

  const model::Decisions& decisions_;
  const DiscoverOptions& options_;
  const std::uint64_t entities_;
  Context within_;  // of scoring: progress is that of all calls
  ProgressTask progress_;

  // Gathered, not yet scored.
  std::vector<TailQuery> queries_;
  std::vector<Triple> pairs_;
  std::uint64_t pair_candidates_ = 0;  // the pairs, and those that were left out among them

  mutable std::mutex mutex_;  // guards best_
  BestFacts best_;
};

class Discovery::Sink final : public MarginSink {
 public:
  Sink(Discovery& discovery, std::span<const std::uint32_t> places)
      : discovery_(discovery), selection_(discovery.new_selection()) {
    const graph::RelationRanges* ranges = discovery.options_.ranges;
    for (const std::uint32_t place : places) {
      const auto& [query, loops] = discovery.queries_[place];
      states_.push_back(
          {query, IdCursor(discovery.options_.known->tails(query.known, query.relation)),
           ranges == nullptr ? std::nullopt : std::optional(IdCursor(ranges->tails(query.relation))),
           loops ? kNoEntity : query.known});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    candidates_ += margins.size();
    State& state = states_[i];
    const auto leave_out = [&](std::uint32_t id) { margins[id - first] = Selection::kLeftOut; };
    state.known.skip_below(first);
    state.known.for_each_below(first + margins.size(), leave_out);
    if (index(state.left_out) >= first && index(state.left_out) - first < margins.size())
      leave_out(index(state.left_out));
    const auto consider = [&](std::uint32_t id) {
      selection_.consider({state.query.known, state.query.relation, EntityId{id}}, margins[id - first]);
    };
    if (state.range) {
      state.range->skip_below(first);
      state.range->for_each_below(first + margins.size(), consider);
    } else {
      for (std::size_t j = 0; j < margins.size(); ++j) consider(first + static_cast<std::uint32_t>(j));
    }
  }

  void finish() override { discovery_.take(selection_, candidates_); }

 private:
  struct State {
    Query query;
    IdCursor known;
    std::optional<IdCursor> range;
    EntityId left_out;
  };

  Discovery& discovery_;
  Selection selection_;
  std::vector<State> states_;
  std::uint64_t candidates_ = 0;
};

void Discovery::score_queries() {
  std::vector<Query> asked;
  for (const TailQuery& query : queries_) asked.push_back(query.query);
  score_entities(
      decisions_, asked,
      [&](std::span<const std::uint32_t> places) { return std::make_unique<Sink>(*this, places); }, within_);
  queries_.clear();
}

void Discovery::score_pairs() {
  const std::vector<float> margins = margins_of(decisions_, pairs_, within_);
  Selection selection = new_selection();
  for (std::size_t i = 0; i < pairs_.size(); ++i) selection.consider(pairs_[i], margins[i]);
  take(selection, pair_candidates_);
  pairs_.clear();
  pair_candidates_ = 0;
}

}  // namespace

std::vector<FoundFact> discover_facts(const model::Decisions& decisions, const DiscoverOptions& options,
                                      const Context& context) {
  return Discovery(decisions, options, context).run();
}

}  // namespace greenkgc::rank
