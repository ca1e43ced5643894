#include "rank/rankers/first_stage_ranker.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "base/progress.h"
#include "model/tree_scores.h"
#include "rank/candidate_counts.h"
#include "rank/rankers/fact_margins.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kScoresAtOnce = std::size_t{1} << 24;  // 64 MB
constexpr std::size_t kMinQueriesAtOnce = 16;                // fewer could not share the work on their trees

class RankSink final : public model::MarginSink {
 public:
  RankSink(std::span<const std::uint32_t> places, std::span<const RankQuery> queries,
           std::span<const float> answers, const Candidates& candidates, std::span<Ranks> ranks)
      : places_(places), ranks_(ranks) {
    for (const std::uint32_t place : places)
      states_.push_back({CandidateCounter(queries[place], candidates), answers[place], {}});
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    State& state = states_[i];
    state.counter.count(
        first, margins, {state.answer, state.answer}, [](std::size_t, Rank& rank) { ++rank.equal; },
        state.ranks);
  }

  void finish() override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const State& state = states_[i];
      Ranks& total = ranks_[places_[i]];
      add(state.ranks.all, total.all);
      add(state.ranks.in_range, total.in_range);
      total.range_candidates += state.ranks.range_candidates;
      total.answer_in_range = state.counter.answer_in_range();
    }
  }

 private:
  struct State {
    CandidateCounter counter;
    float answer;  // its margin
    Ranks ranks;   // among the entities so far
  };

  static void add(const Rank& part, Rank& total) {
    total.better += part.better;
    total.equal += part.equal;
  }

  std::span<const std::uint32_t> places_;
  std::vector<State> states_;  // by place
  std::span<Ranks> ranks_;
};

using BestAnswers = TopK<ScoredEntity, graph::IsBetter>;

class TopSink final : public model::MarginSink {
 public:
  TopSink(std::span<const std::uint32_t> places, std::span<const Query> queries, const TopOptions& options,
          std::span<BestAnswers> totals)
      : places_(places), totals_(totals) {
    for (const std::uint32_t place : places) {
      const Query& query = queries[place];
      IdCursor known;
      if (options.known != nullptr) known = IdCursor(known_answers(*options.known, query));
      states_.push_back({known, query.left_out, BestAnswers(options.k)});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    State& state = states_[i];
    std::size_t begin = 0;
    state.known.skip_below(first);
    state.known.for_each_below(first + margins.size(), [&](std::uint32_t id) {
      if (id == index(state.left_out)) return;
      add(state.best, first, margins, begin, id - first);
      begin = id - first + 1;
    });
    add(state.best, first, margins, begin, margins.size());
  }

  void finish() override {
    for (std::size_t i = 0; i < places_.size(); ++i) totals_[places_[i]].merge(states_[i].best);
  }

 private:
  struct State {
    IdCursor known;
    EntityId left_out;
    BestAnswers best;
  };

  // Lower ids come first, so of equal scores those that are here already are better: the loop over all
  // entities looks at scores only.
  static void add(BestAnswers& best, std::uint32_t first, std::span<const float> margins, std::size_t begin,
                  std::size_t end) {
    const auto least = [&] {
      const ScoredEntity* worst = best.threshold();
      return worst == nullptr ? -std::numeric_limits<float>::infinity() : worst->score;
    };
    float lowest = least();
    for (std::size_t i = begin; i < end; ++i) {
      if (margins[i] < lowest || (margins[i] == lowest && best.threshold() != nullptr)) continue;
      best.add({EntityId{first + static_cast<std::uint32_t>(i)}, margins[i]});
      lowest = least();
    }
  }

  std::span<const std::uint32_t> places_;
  std::vector<State> states_;  // by place
  std::span<BestAnswers> totals_;
};

}  // namespace

std::vector<Ranks> FirstStageRanker::ranks(std::span<const RankQuery> queries, const Candidates& candidates,
                                           const Context& context) const {
  const std::vector<float> answers = margins_of(decisions_, queries, context);
  std::vector<Query> asked;
  asked.reserve(queries.size());
  for (const RankQuery& query : queries) asked.push_back(query.query());
  std::vector<Ranks> ranks(queries.size());
  model::score_entities(
      decisions_, asked,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<RankSink>(places, queries, answers, candidates, ranks);
      },
      context);
  return ranks;
}

std::vector<std::vector<ScoredEntity>> FirstStageRanker::best(std::span<const Query> queries,
                                                              const TopOptions& options,
                                                              const Context& context) const {
  std::vector<BestAnswers> best(queries.size(), BestAnswers(options.k));
  model::score_entities(
      decisions_, queries,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<TopSink>(places, queries, options, best);
      },
      context);
  std::vector<std::vector<ScoredEntity>> answers;
  answers.reserve(queries.size());
  for (BestAnswers& own : best) answers.push_back(std::move(own).sorted());
  return answers;
}

std::vector<float> FirstStageRanker::scores(std::span<const RankQuery> queries,
                                            const Context& context) const {
  return margins_of(decisions_, queries, context);
}

void FirstStageRanker::read_scores(std::span<const Query> queries, const TakeScores& take,
                                   const Context& context) const {
  const std::size_t entities = entity_count();
  const std::size_t at_once = std::clamp(kScoresAtOnce / std::max<std::size_t>(1, entities),
                                         kMinQueriesAtOnce, std::max(kMinQueriesAtOnce, queries.size()));
  std::vector<float> rows(std::min(at_once, queries.size()) * entities);
  ProgressTask progress(context, "ranking", queries.size(), "queries");
  Context quiet = context;
  quiet.progress = nullptr;
  for (std::size_t begin = 0; begin < queries.size(); begin += at_once) {
    const auto block = queries.subspan(begin, std::min(at_once, queries.size() - begin));
    model::score_rows(decisions_, block, rows, quiet);
    parallel_for(quiet, block.size(), 1, [&](std::size_t i, std::size_t) {
      take(begin + i, std::span<const float>(rows).subspan(i * entities, entities));
    });
    progress.advance(block.size());
  }
}

}  // namespace greenkgc::rank
