#include "rank/calibration/reliability.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "rank/candidate_counts.h"

namespace greenkgc::rank {
namespace {

constexpr double kUnits = 0x1p40;

struct SumPair {
  ReliabilitySum top;
  ReliabilitySum all;
};

// A candidate with what is known about it.
struct Judged {
  ScoredEntity candidate;
  double probability;
  bool is_fact;
};
struct IsBetterJudged {
  bool operator()(const Judged& a, const Judged& b) const {
    return graph::IsBetter()(a.candidate, b.candidate);
  }
};

// The sums of one query. Candidates get their probabilities piece by piece, which bounds memory.
class QueryReliability {
 public:
  QueryReliability(const Ranker& ranker, const Query& query, const Truth& truth, std::size_t k,
                   const Context& context)
      : ranker_(ranker),
        query_(query),
        context_(context),
        facts_(answers_to_find(query, truth)),
        known_(known_answers(truth.known, query)),
        best_(k) {}

  SumPair run(std::span<const float> scores) {
    auto next_known = known_.begin();
    for (std::uint32_t e = 0; e < scores.size(); ++e) {
      if (next_known != known_.end() && *next_known == EntityId{e}) {
        ++next_known;
        continue;
      }
      piece_.push_back({query_.fact(EntityId{e}), scores[e], query_.side});
      entities_.push_back(EntityId{e});
      if (piece_.size() == kPiece) add_piece();
    }
    add_piece();
    for (const Judged& judged : best_.sorted()) sums_.top.add(judged.probability, judged.is_fact);
    return sums_;
  }

 private:
  static constexpr std::size_t kPiece = 4096;

  void add_piece() {
    const std::vector<double> probabilities = ranker_.probability().of(piece_, context_);
    for (std::size_t i = 0; i < piece_.size(); ++i) {
      const bool is_fact = next_fact_ < facts_.size() && facts_[next_fact_] == entities_[i];
      next_fact_ += is_fact ? 1 : 0;
      sums_.all.add(probabilities[i], is_fact);
      best_.add({{entities_[i], piece_[i].score}, probabilities[i], is_fact});
    }
    piece_.clear();
    entities_.clear();
  }

  const Ranker& ranker_;
  const Query& query_;
  const Context& context_;
  const std::vector<EntityId> facts_;  // ascending; none of them is known
  std::size_t next_fact_ = 0;          // the first that has not come
  const std::span<const EntityId> known_;
  std::vector<ScoredFact> piece_;
  std::vector<EntityId> entities_;  // of the piece
  TopK<Judged, IsBetterJudged> best_;
  SumPair sums_;
};

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

ReliabilityPair measure_reliability(const Ranker& ranker, std::span<const Query> queries, const Truth& truth,
                                    std::size_t k, const Context& context) {
  SumPair total;
  std::mutex mutex;          // guards the total
  Context within = context;  // of a query: threads share the queries
  within.threads = 1;
  within.progress = nullptr;
  ranker.read_scores(
      queries,
      [&](std::size_t i, std::span<const float> scores) {
        const auto own = QueryReliability(ranker, queries[i], truth, k, within).run(scores);
        const std::lock_guard lock(mutex);
        total.top.add(own.top);
        total.all.add(own.all);
      },
      context);
  return {total.top.result(), total.all.result()};
}

}  // namespace greenkgc::rank
