#include "rank/reliability.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "rank/candidate_counts.h"
#include "rank/decision_ranks.h"

namespace greenkgc::rank {
namespace {

constexpr double kUnits = 0x1p40;

const model::Calibration& curve_of(const model::Decisions& decisions, RelationId relation) {
  return decisions.groups[decisions.group_of[index(relation)]].calibration;
}

class ReliabilitySink final : public MarginSink {
 public:
  ReliabilitySink(std::span<const std::uint32_t> places, const model::Decisions& decisions,
                  std::span<const Query> queries, const Truth& truth, ReliabilitySum& total)
      : total_(total) {
    facts_.reserve(places.size());  // cursors keep pointers to them
    for (const std::uint32_t place : places) {
      const Query& query = queries[place];
      facts_.push_back(answers_to_find(query, truth));
      states_.push_back({curve_of(decisions, query.relation), IdCursor(facts_.back()),
                         IdCursor(known_answers(truth.known, query))});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    State& state = states_[i];
    const auto probability = [&](std::size_t j) {
      return state.curve.probability(static_cast<double>(margins[j]));
    };
    for (std::size_t j = 0; j < margins.size(); ++j) sum_.add(probability(j), false);
    state.known.skip_below(first);
    state.known.for_each_below(first + margins.size(),
                               [&](std::uint32_t id) { sum_.remove(probability(id - first)); });
    state.facts.skip_below(first);
    state.facts.for_each_below(first + margins.size(), [&](std::uint32_t id) {
      sum_.remove(probability(id - first));
      sum_.add(probability(id - first), true);
    });
  }

  void finish() override { total_.add(sum_); }

 private:
  struct State {
    const model::Calibration& curve;
    IdCursor facts;
    IdCursor known;
  };

  ReliabilitySum sum_;
  ReliabilitySum& total_;
  std::vector<std::vector<EntityId>> facts_;  // by place
  std::vector<State> states_;
};

Reliability of_top(const model::Decisions& decisions, std::span<const Query> queries, const Truth& truth,
                   std::size_t k, const Context& context) {
  ReliabilitySum sum;
  const auto answers = top_answers(decisions, queries, {.k = k, .known = &truth.known}, context);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto facts = answers_to_find(queries[i], truth);
    const model::Calibration& curve = curve_of(decisions, queries[i].relation);
    for (const Answer& answer : answers[i])
      sum.add(curve.probability(static_cast<double>(answer.margin)),
              std::binary_search(facts.begin(), facts.end(), answer.entity));
  }
  return sum.result();
}

}  // namespace

std::size_t ReliabilitySum::bin_of(double probability) {
  const auto above = std::upper_bound(kBounds.begin() + 1, kBounds.end() - 1, probability);
  return static_cast<std::size_t>(above - kBounds.begin()) - 1;
}

void ReliabilitySum::add(double probability, bool is_fact) {
  Bin& bin = bins_[bin_of(probability)];
  ++bin.candidates;
  bin.facts += is_fact ? 1 : 0;
  bin.probabilities += static_cast<std::uint64_t>(std::llround(probability * kUnits));
}

void ReliabilitySum::remove(double probability) {
  Bin& bin = bins_[bin_of(probability)];
  --bin.candidates;
  bin.probabilities -= static_cast<std::uint64_t>(std::llround(probability * kUnits));
}

void ReliabilitySum::add(const ReliabilitySum& part) {
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    bins_[b].candidates += part.bins_[b].candidates;
    bins_[b].facts += part.bins_[b].facts;
    bins_[b].probabilities += part.bins_[b].probabilities;
  }
}

Reliability ReliabilitySum::result() const {
  Reliability reliability;
  double error = 0;
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    const Bin& bin = bins_[b];
    const auto n = static_cast<double>(bin.candidates);
    const double predicted = static_cast<double>(bin.probabilities) / kUnits;
    const auto facts = static_cast<double>(bin.facts);
    reliability.candidates += bin.candidates;
    reliability.facts += bin.facts;
    reliability.bins.push_back({.from = kBounds[b],
                                .to = kBounds[b + 1],
                                .candidates = bin.candidates,
                                .facts = bin.facts,
                                .predicted = n > 0 ? predicted / n : 0,
                                .observed = n > 0 ? facts / n : 0});
    error += std::abs(predicted - facts);
  }
  if (reliability.candidates > 0)
    reliability.expected_calibration_error = error / static_cast<double>(reliability.candidates);
  return reliability;
}

ReliabilityPair measure_reliability(const model::Decisions& decisions, std::span<const Query> queries,
                                    const Truth& truth, std::size_t k, const Context& context) {
  ReliabilitySum all;
  score_entities(
      decisions, queries,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<ReliabilitySink>(places, decisions, queries, truth, all);
      },
      context);
  return {of_top(decisions, queries, truth, k, context), all.result()};
}

ReliabilityPair measure_reliability(const TwoStage& model, const model::Calibration& curve,
                                    std::span<const Query> queries, const Truth& truth, std::size_t k,
                                    const Context& context) {
  ReliabilitySum top;
  ReliabilitySum all;
  std::mutex mutex;  // guards the sums
  const auto take = [&](std::size_t i, std::span<const float> margins) {
    const auto facts = answers_to_find(queries[i], truth);
    const auto known = known_answers(truth.known, queries[i]);
    ReliabilitySum own_top;
    ReliabilitySum own;
    std::vector<Answer> candidates;
    for (std::uint32_t e = 0; e < margins.size(); ++e) {
      if (!std::binary_search(known.begin(), known.end(), EntityId{e}))
        candidates.push_back({EntityId{e}, margins[e]});
    }
    const auto add = [&](const Answer& answer, ReliabilitySum& sum) {
      sum.add(curve.probability(static_cast<double>(answer.margin)),
              std::binary_search(facts.begin(), facts.end(), answer.entity));
    };
    for (const Answer& answer : candidates) add(answer, own);
    const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(std::min(k, candidates.size()));
    std::partial_sort(candidates.begin(), last, candidates.end(), [](const Answer& a, const Answer& b) {
      return a.margin != b.margin ? a.margin > b.margin : a.entity < b.entity;
    });
    std::for_each(candidates.begin(), last, [&](const Answer& answer) { add(answer, own_top); });
    const std::lock_guard lock(mutex);
    top.add(own_top);
    all.add(own);
  };
  read_margins(model, queries, take, context);
  return {top.result(), all.result()};
}

}  // namespace greenkgc::rank
