// How the first stage discovers facts. Each relation's heads are asked for their tails. Where the relation
// has so many observed tails that scoring all entities is cheaper, queries gather for score_entities(); where
// it has few, facts gather for margins_of(). Either way a Selection keeps the best facts of a tile or a
// piece, and what is kept is merged into the Discovery. Where only the best answers of each query are wanted,
// they gather by query before a Selection sees them: a query may come in several tiles.
//
// Invariant: a fact is dropped without its probability only if its score is at most that of another answer to
// the same query whose probability was too low, which FactProbability allows.
#include "rank/rankers/discover.h"

#include <array>
#include <limits>
#include <optional>

#include "base/progress.h"
#include "evidence/evidence_graph.h"
#include "model/tree_scores.h"
#include "rank/candidate_counts.h"
#include "rank/rankers/fact_margins.h"
#include "rank/rankers/first_stage_ranker.h"

namespace greenkgc::rank {
namespace {

using BestAnswers = TopK<ScoredEntity, graph::IsBetter>;

constexpr std::size_t kQueriesAtOnce = 16'384;
constexpr std::size_t kPairsAtOnce = std::size_t{1} << 18;
// How much longer a fact takes on its own than as one of all tails of a head. Measured: 1.42 us and 25 ns,
// with 200 trees of depth 5.
constexpr std::size_t kPairCost = 64;

// Takes candidates, keeps the best. Facts wait for their probabilities until there are some; a higher bar for
// scores then spares most of the next ones.
class Selection {
 public:
  Selection(const FactProbability& probability, std::size_t top, double least_probability,
            const Context& context)
      : probability_(probability), context_(context), least_probability_(least_probability), best_(top) {}

  static constexpr float kLeftOut = -std::numeric_limits<float>::infinity();  // a score that is never kept

  // Answers to the same query that are scored up to `hopeless` are not probable enough; raised by consider().
  struct Bar {
    float hopeless = kLeftOut;
  };

  void consider(const Triple& fact, float score, Bar& bar) {
    if (!(score > bar.hopeless)) return;
    if (bar_ != &bar || waiting_ == facts_.size()) settle();
    bar_ = &bar;
    facts_[waiting_++] = {fact, score};
  }
  // To be called before a bar goes.
  void settle() {
    const auto facts = std::span(facts_).first(waiting_);
    std::array<double, kAtOnce> probabilities;
    probability_.fill(facts, std::span(probabilities).first(waiting_), context_);
    waiting_ = 0;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (probabilities[i] < std::max(least_probability_, min_probability(best_))) {
        bar_->hopeless = std::max(bar_->hopeless, facts[i].score);
      } else {
        best_.add({facts[i].fact, facts[i].score, probabilities[i], false});
      }
    }
  }
  const BestFacts& best() const { return best_; }  // of what is settled

 private:
  static constexpr std::size_t kAtOnce = 16;

  const FactProbability& probability_;
  const Context& context_;
  const double least_probability_;
  BestFacts best_;
  std::array<ScoredFact, kAtOnce> facts_;  // answers to one query
  std::size_t waiting_ = 0;                // of facts_
  Bar* bar_ = nullptr;                     // of that query
};

// One call of discover().
class TailSearch {
 public:
  TailSearch(const model::Decisions& decisions, const FactProbability& probability,
             const DiscoverOptions& options, const evidence::Profiles* profiles, const Context& context)
      : decisions_(decisions),
        probability_(probability),
        options_(options),
        found_(options, decisions.tables.entities.rows(), profiles),
        within_(context),
        progress_(context, "searching for missing facts", candidate_count(), "candidates") {
    within_.progress = nullptr;
  }

  std::vector<greenkgc::Answer> run() && {
    for (const RelationId relation : options_.relations) {
      const bool loops = found_.allows_loops(relation);
      for (const EntityId head : found_.heads(relation)) {
        if (has_few_tails(relation)) {
          add_pairs(head, relation, loops);
        } else {
          add_query({{head, relation, Side::kTail}, loops});
        }
      }
    }
    score_pairs();
    score_queries();
    found_.ask_for_heads(FirstStageRanker(decisions_), within_);
    return std::move(found_).best();
  }

 private:
  class Sink;
  struct TailQuery {
    Query query;
    bool loops;  // the head may be its own tail
  };

  // So few that scoring them one by one takes less time than all entities together.
  bool has_few_tails(RelationId relation) const {
    return options_.ranges != nullptr &&
           options_.ranges->tails(relation).size() < found_.entity_count() / kPairCost;
  }
  std::uint64_t candidate_count() const {
    std::uint64_t count = 0;
    for (const RelationId relation : options_.relations)
      count += found_.heads(relation).size() *
               (has_few_tails(relation) ? options_.ranges->tails(relation).size() : found_.entity_count());
    return count;
  }

  void add_pairs(EntityId head, RelationId relation, bool loops) {
    IdCursor known(options_.known->tails(head, relation));
    IdCursor excluded(excluded_tails({head, relation, Side::kTail}));
    for (const EntityId tail : options_.ranges->tails(relation)) {
      bool left_out = tail == head && !loops;
      for (IdCursor* ids : {&known, &excluded}) {
        ids->skip_below(index(tail));
        ids->for_each_below(index(tail) + std::size_t{1}, [&](std::uint32_t) { left_out = true; });
      }
      if (!left_out) pairs_.push_back({head, relation, tail});
    }
    pair_candidates_ += options_.ranges->tails(relation).size();
    if (pairs_.size() >= kPairsAtOnce) score_pairs();
  }
  std::span<const EntityId> excluded_tails(const Query& query) const {
    if (options_.exclude == nullptr) return {};
    return options_.exclude->tails(query.known, query.relation);
  }
  void add_query(const TailQuery& query) {
    queries_.push_back(query);
    if (queries_.size() == kQueriesAtOnce) score_queries();
  }
  void score_pairs();
  void score_queries();
  bool is_limited() const { return options_.max_per_query > 0; }
  void consider_best(const Query& query, BestAnswers& best, Selection& selection) const {
    Selection::Bar bar;
    for (const ScoredEntity& answer : best.sorted())
      selection.consider(query.fact(answer.entity), answer.score, bar);
    selection.settle();
  }

  Selection new_selection() const {
    return {probability_, options_.top, found_.least_probability(), within_};
  }
  void take(const Selection& selection, std::uint64_t candidates) {
    found_.take(selection.best());
    progress_.advance(candidates);
  }

  const model::Decisions& decisions_;
  const FactProbability& probability_;
  const DiscoverOptions& options_;
  Discovery found_;
  Context within_;  // of scoring: progress is that of all calls
  ProgressTask progress_;

  // Gathered, not yet scored.
  std::vector<TailQuery> queries_;
  std::vector<BestAnswers> best_of_queries_;  // of each, if they are limited
  std::vector<Triple> pairs_;
  std::uint64_t pair_candidates_ = 0;  // the pairs, and those that were left out among them
};

class TailSearch::Sink final : public model::MarginSink {
 public:
  Sink(TailSearch& search, std::span<const std::uint32_t> places)
      : search_(search), places_(places), selection_(search.new_selection()) {
    const graph::RelationRanges* ranges = search.options_.ranges;
    for (const std::uint32_t place : places) {
      const auto& [query, loops] = search.queries_[place];
      states_.push_back(
          {query,
           IdCursor(search.options_.known->tails(query.known, query.relation)),
           IdCursor(search.excluded_tails(query)),
           ranges == nullptr ? std::nullopt : std::optional(IdCursor(ranges->tails(query.relation))),
           loops ? kNoEntity : query.known,
           {},
           BestAnswers(search.options_.max_per_query)});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    candidates_ += margins.size();
    State& state = states_[i];
    const auto leave_out = [&](std::uint32_t id) { margins[id - first] = Selection::kLeftOut; };
    for (IdCursor* ids : {&state.known, &state.excluded}) {
      ids->skip_below(first);
      ids->for_each_below(first + margins.size(), leave_out);
    }
    if (index(state.left_out) >= first && index(state.left_out) - first < margins.size())
      leave_out(index(state.left_out));
    const auto consider = [&](std::uint32_t id) {
      const float margin = margins[id - first];
      if (!search_.is_limited()) {
        selection_.consider(state.query.fact(EntityId{id}), margin, state.bar);
      } else if (margin > Selection::kLeftOut) {
        state.best.add({EntityId{id}, margin});
      }
    };
    if (state.range) {
      state.range->skip_below(first);
      state.range->for_each_below(first + margins.size(), consider);
    } else {
      for (std::size_t j = 0; j < margins.size(); ++j) consider(first + static_cast<std::uint32_t>(j));
    }
  }

  void finish() override {
    for (std::size_t i = 0; search_.is_limited() && i < states_.size(); ++i)
      search_.best_of_queries_[places_[i]].merge(states_[i].best);
    selection_.settle();
    search_.take(selection_, candidates_);
  }

 private:
  struct State {
    Query query;
    IdCursor known;
    IdCursor excluded;
    std::optional<IdCursor> range;
    EntityId left_out;
    Selection::Bar bar;
    BestAnswers best;  // if queries are limited
  };

  TailSearch& search_;
  const std::span<const std::uint32_t> places_;
  Selection selection_;
  std::vector<State> states_;
  std::uint64_t candidates_ = 0;
};

void TailSearch::score_queries() {
  std::vector<Query> asked;
  for (const TailQuery& query : queries_) asked.push_back(query.query);
  if (is_limited()) best_of_queries_.assign(asked.size(), BestAnswers(options_.max_per_query));
  model::score_entities(
      decisions_, asked,
      [&](std::span<const std::uint32_t> places) { return std::make_unique<Sink>(*this, places); }, within_);
  if (is_limited()) {
    Selection selection = new_selection();
    for (std::size_t i = 0; i < asked.size(); ++i) consider_best(asked[i], best_of_queries_[i], selection);
    found_.take(selection.best());
  }
  queries_.clear();
}

void TailSearch::score_pairs() {
  const std::vector<float> margins = margins_of(decisions_, pairs_, within_);
  Selection selection = new_selection();
  for (std::size_t i = 0; i < pairs_.size();) {
    const Triple& first = pairs_[i];
    Selection::Bar bar;  // of this head
    BestAnswers best(options_.max_per_query);
    for (; i < pairs_.size() && pairs_[i].head == first.head && pairs_[i].relation == first.relation; ++i) {
      if (is_limited()) {
        best.add({pairs_[i].tail, margins[i]});
      } else {
        selection.consider(pairs_[i], margins[i], bar);
      }
    }
    selection.settle();
    consider_best({first.head, first.relation, Side::kTail}, best, selection);
  }
  take(selection, pair_candidates_);
  pairs_.clear();
  pair_candidates_ = 0;
}

}  // namespace

Discovered FirstStageRanker::discover(const DiscoverOptions& options, const Context& context) const {
  if (!options.only_gaps || options.ranges == nullptr)
    return {TailSearch(decisions_, probability_, options, nullptr, context).run()};
  // Heads of a relation have no gaps, so those that resemble them are asked.
  const evidence::EvidenceGraph graph(*options.known, entity_count(), decisions_.tables.relations.rows(),
                                      context);
  const evidence::Profiles profiles(graph, context);
  return {TailSearch(decisions_, probability_, options, &profiles, context).run()};
}

}  // namespace greenkgc::rank
