#include "rank/decision_ranks.h"

#include <algorithm>

#include "rank/candidate_counts.h"
#include "rank/fact_margins.h"

namespace greenkgc::rank {
namespace {

class RankSink final : public MarginSink {
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

// The best k of all that come, of which there may be more.
class BestAnswers {
 public:
  explicit BestAnswers(std::size_t k) : k_(k) {}

  // False if it is not among the best for sure, given that lower ids came before.
  bool wants(float margin) const {
    return answers_.size() < k_ || (k_ > 0 && margin > answers_.front().margin);
  }

  void add(const Answer& answer) {
    if (answers_.size() == k_) {
      if (k_ == 0 || !is_better(answer, answers_.front())) return;
      std::pop_heap(answers_.begin(), answers_.end(), is_better);
      answers_.pop_back();
    }
    answers_.push_back(answer);
    std::push_heap(answers_.begin(), answers_.end(), is_better);
  }

  const std::vector<Answer>& in_any_order() const { return answers_; }
  std::vector<Answer> sorted() && {
    std::sort_heap(answers_.begin(), answers_.end(), is_better);
    return std::move(answers_);
  }

 private:
  std::size_t k_;
  std::vector<Answer> answers_;  // a heap with the worst in front
};

class TopSink final : public MarginSink {
 public:
  TopSink(std::span<const std::uint32_t> places, std::span<const Query> queries, const TopOptions& options,
          std::span<BestAnswers> totals)
      : places_(places), totals_(totals) {
    for (const std::uint32_t place : places) {
      const Query& query = queries[place];
      IdCursor known;
      if (options.known != nullptr) known = IdCursor(known_answers(*options.known, query));
      states_.push_back({known, BestAnswers(options.k)});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    State& state = states_[i];
    std::size_t begin = 0;
    state.known.skip_below(first);
    state.known.for_each_below(first + margins.size(), [&](std::uint32_t id) {
      add(state.best, first, margins, begin, id - first);
      begin = id - first + 1;
    });
    add(state.best, first, margins, begin, margins.size());
  }

  void finish() override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (const Answer& answer : states_[i].best.in_any_order()) totals_[places_[i]].add(answer);
    }
  }

 private:
  struct State {
    IdCursor known;
    BestAnswers best;
  };

  static void add(BestAnswers& best, std::uint32_t first, std::span<const float> margins, std::size_t begin,
                  std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (best.wants(margins[i])) best.add({EntityId{first + static_cast<std::uint32_t>(i)}, margins[i]});
    }
  }

  std::span<const std::uint32_t> places_;
  std::vector<State> states_;  // by place
  std::span<BestAnswers> totals_;
};

}  // namespace

std::vector<Ranks> rank_answers(const model::Decisions& decisions, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context) {
  const std::vector<float> answers = margins_of(decisions, queries, context);
  std::vector<Query> asked;
  asked.reserve(queries.size());
  for (const RankQuery& query : queries) asked.push_back(query.query());
  std::vector<Ranks> ranks(queries.size());
  score_entities(
      decisions, asked,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<RankSink>(places, queries, answers, candidates, ranks);
      },
      context);
  return ranks;
}

std::vector<std::vector<Answer>> top_answers(const model::Decisions& decisions,
                                             std::span<const Query> queries, const TopOptions& options,
                                             const Context& context) {
  std::vector<BestAnswers> best(queries.size(), BestAnswers(options.k));
  score_entities(
      decisions, queries,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<TopSink>(places, queries, options, best);
      },
      context);
  std::vector<std::vector<Answer>> answers;
  answers.reserve(queries.size());
  for (BestAnswers& own : best) answers.push_back(std::move(own).sorted());
  return answers;
}

}  // namespace greenkgc::rank
