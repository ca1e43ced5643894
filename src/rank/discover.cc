#include "rank/discover.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

#include "base/progress.h"
#include "rank/candidate_counts.h"
#include "rank/tree_scores.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kQueriesAtOnce = 16'384;

bool is_better(const FoundFact& a, const FoundFact& b) {
  if (a.probability != b.probability) return a.probability > b.probability;
  if (a.margin != b.margin) return a.margin > b.margin;
  return a.fact < b.fact;
}

class BestFacts {
 public:
  explicit BestFacts(std::size_t top) : top_(top) {}

  void add(const FoundFact& fact) {
    if (facts_.size() == top_) {
      if (!is_better(fact, facts_.front())) return;
      std::pop_heap(facts_.begin(), facts_.end(), is_better);
      facts_.pop_back();
    }
    facts_.push_back(fact);
    std::push_heap(facts_.begin(), facts_.end(), is_better);
  }
  // Facts that are less probable are not among the best.
  double least_probability() const { return facts_.size() < top_ ? 0 : facts_.front().probability; }

  const std::vector<FoundFact>& in_any_order() const { return facts_; }
  std::vector<FoundFact> sorted() && {
    std::sort_heap(facts_.begin(), facts_.end(), is_better);
    return std::move(facts_);
  }

 private:
  std::size_t top_;
  std::vector<FoundFact> facts_;  // a heap with the worst in front
};

// One call of discover_facts.
class Discovery {
 public:
  Discovery(const model::Decisions& decisions, const DiscoverOptions& options, const Context& context)
      : decisions_(decisions),
        options_(options),
        entities_(decisions.tables.entities.rows()),
        loops_(decisions.group_of.size(), options.ranges == nullptr),
        within_(context),
        progress_(context, "looking for missing facts", query_count() * entities_, "candidates"),
        best_(options.top) {
    within_.progress = nullptr;
    if (options.ranges == nullptr) return;
    for (const RelationId relation : options.relations) loops_[index(relation)] = has_loops(relation);
  }

  std::vector<FoundFact> run() && {
    for (const RelationId relation : options_.relations) {
      for (std::size_t i = 0; i < head_count(relation); ++i) {
        queries_.push_back({head(relation, i), relation, Side::kTail});
        if (queries_.size() == kQueriesAtOnce) ask();
      }
    }
    ask();
    return std::move(best_).sorted();
  }

 private:
  class Sink;

  std::size_t head_count(RelationId relation) const {
    return options_.ranges == nullptr ? entities_ : options_.ranges->heads(relation).size();
  }
  EntityId head(RelationId relation, std::size_t i) const {
    return options_.ranges == nullptr ? EntityId{static_cast<std::uint32_t>(i)}
                                      : options_.ranges->heads(relation)[i];
  }
  std::uint64_t query_count() const {
    std::uint64_t count = 0;
    for (const RelationId relation : options_.relations) count += head_count(relation);
    return count;
  }
  bool has_loops(RelationId relation) const {
    const auto heads = options_.ranges->heads(relation);
    return std::any_of(heads.begin(), heads.end(), [&](EntityId entity) {
      return options_.known->contains({entity, relation, entity});
    });
  }

  double least_probability() const {
    const std::scoped_lock lock(mutex_);
    return std::max(options_.min_probability, best_.least_probability());
  }
  void take(const BestFacts& found, std::uint64_t candidates) {
    {
      const std::scoped_lock lock(mutex_);
      for (const FoundFact& fact : found.in_any_order()) best_.add(fact);
    }
    progress_.advance(candidates);
  }

  void ask();

  const model::Decisions& decisions_;
  const DiscoverOptions& options_;
  const std::uint64_t entities_;
  std::vector<bool> loops_;  // by relation: whether a head may be its own tail
  Context within_;           // of scoring: progress is that of all calls
  ProgressTask progress_;
  std::vector<EntityQuery> queries_;  // gathered, not yet asked

  mutable std::mutex mutex_;  // guards best_
  BestFacts best_;
};

// The queries of a sink are of one group.
class Discovery::Sink final : public MarginSink {
 public:
  Sink(Discovery& discovery, std::span<const std::uint32_t> places)
      : discovery_(discovery),
        least_probability_(discovery.least_probability()),
        best_(discovery.options_.top) {
    for (const std::uint32_t place : places) {
      const EntityQuery& query = discovery.queries_[place];
      const graph::RelationRanges* ranges = discovery.options_.ranges;
      states_.push_back(
          {query, IdCursor(discovery.options_.known->tails(query.known, query.relation)),
           ranges == nullptr ? std::nullopt : std::optional(IdCursor(ranges->tails(query.relation))),
           discovery.loops_[index(query.relation)] ? kNoEntity : query.known});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    candidates_ += margins.size();
    State& state = states_[i];
    const auto leave_out = [&](std::uint32_t id) { margins[id - first] = kLeftOut; };
    state.known.skip_below(first);
    state.known.for_each_below(first + margins.size(), leave_out);
    if (index(state.left_out) >= first && index(state.left_out) - first < margins.size())
      leave_out(index(state.left_out));
    if (state.range) {
      state.range->skip_below(first);
      state.range->for_each_below(first + margins.size(),
                                  [&](std::uint32_t id) { consider(state.query, id, margins[id - first]); });
    } else {
      for (std::size_t j = 0; j < margins.size(); ++j)
        consider(state.query, first + static_cast<std::uint32_t>(j), margins[j]);
    }
  }

  void finish() override { discovery_.take(best_, candidates_); }

 private:
  static constexpr float kLeftOut = -std::numeric_limits<float>::infinity();

  struct State {
    EntityQuery query;
    IdCursor known;
    std::optional<IdCursor> range;
    EntityId left_out;
  };

  void consider(const EntityQuery& query, std::uint32_t tail, float margin) {
    if (!(margin > hopeless_)) return;
    const auto& group = discovery_.decisions_.groups[discovery_.decisions_.group_of[index(query.relation)]];
    const double probability = group.calibration.probability(static_cast<double>(margin));
    if (probability < std::max(least_probability_, best_.least_probability())) {
      hopeless_ = margin;
    } else {
      best_.add({{query.known, query.relation, EntityId{tail}}, margin, probability, false});
    }
  }

  Discovery& discovery_;
  const double least_probability_;  // of what is worth having when the sink is made
  BestFacts best_;
  std::vector<State> states_;
  std::uint64_t candidates_ = 0;
  float hopeless_ = kLeftOut;  // no margin up to this one is probable enough: curves never fall
};

void Discovery::ask() {
  score_entities(
      decisions_, queries_,
      [&](std::span<const std::uint32_t> places) { return std::make_unique<Sink>(*this, places); }, within_);
  queries_.clear();
}

}  // namespace

std::vector<FoundFact> discover_facts(const model::Decisions& decisions, const DiscoverOptions& options,
                                      const Context& context) {
  return Discovery(decisions, options, context).run();
}

}  // namespace greenkgc::rank
