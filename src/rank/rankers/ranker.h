#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/top_k.h"
#include "graph/known_facts.h"
#include "graph/query.h"
#include "graph/relation_ranges.h"
#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "model/model_file.h"
#include "rank/rankers/fact_probability.h"
#include "rank/ranks.h"

namespace greenkgc::rank {

using graph::ScoredEntity;

class EvidenceLists;

struct TopOptions {
  std::size_t k = 10;
  const graph::KnownFacts* known = nullptr;  // known answers are left out; null: none
};

// The best answers of a query that fact trees are trained on, and that it keeps by default where they judge.
inline constexpr std::size_t kJudgedPerQuery = 16;

struct DiscoverOptions {
  std::span<const RelationId> relations;
  std::size_t top = 1000;
  double min_probability = 0;
  double missing_share = 0;       // the rate at which facts are taken to be missing; 0: that of training
  std::size_t max_per_query = 0;  // the best answers of each query; 0: all
  bool only_gaps = false;         // only heads without any known fact of the relation
  // At most so many queries (h, r, ?) are asked, those likeliest to have a missing answer first; 0: all. Only
  // of rankers that judge facts.
  std::size_t max_queries = 0;
  const std::vector<bool>* heads = nullptr;  // by entity: whether it may be the head of a fact; null: all may
  // Only facts that have one of these as head or as tail, ascending; none: all facts. As tails they are asked
  // for their heads.
  std::span<const EntityId> about;
  // Candidates: heads and tails that the relation has here; loops only where it has some. Heads that resemble
  // those are candidates where only gaps are asked for, and where fact trees judge. Null: all entities.
  const graph::RelationRanges* ranges = nullptr;
  const graph::KnownFacts* known = nullptr;    // left out; never null
  const graph::KnownFacts* exclude = nullptr;  // left out as well, but fills no gap; null: none
};

struct Discovered {
  std::vector<greenkgc::Answer> facts;  // the best first
  // What `max_queries` cut off although facts were to be expected there. 0: nothing.
  std::uint64_t queries_left_out = 0;
};

// What a trained model makes of queries: how high an answer ranks, which answers are best, and how probable
// they are. There are two: FirstStageRanker and TwoStageRanker; make_ranker() chooses. Whoever evaluates,
// predicts, scores or explains sees this interface alone.
//
// A score is a log-odds before calibration; those of one relation and side can be compared. All functions
// give the same result for any number of threads, order of queries and instruction set, are const, and may be
// called from several threads. Ids are in range. Scratch memory is some megabytes per thread. Throws
// kInterrupted.
class Ranker {
 public:
  virtual ~Ranker() = default;

  virtual std::uint32_t entity_count() const = 0;

  // Ranks the answer of each query among all entities; ties are equal scores.
  virtual std::vector<Ranks> ranks(std::span<const RankQuery> queries, const Candidates& candidates,
                                   const Context& context) const = 0;

  // The k best answers of each query, best first, lower ids first among equals; fewer where there are no
  // more. An answer that a query leaves out counts as not known.
  virtual std::vector<std::vector<ScoredEntity>> best(std::span<const Query> queries,
                                                      const TopOptions& options,
                                                      const Context& context) const = 0;

  // The score of each query's answer, as best() gives it.
  virtual std::vector<float> scores(std::span<const RankQuery> queries, const Context& context) const = 0;
  // Scores facts as answers to (h, r, ?).
  std::vector<float> fact_scores(std::span<const Triple> facts, const Context& context) const {
    return scores(tail_queries(facts), context);
  }

  // The scores of all entities for each query, each query once, in any order. Called from several threads.
  // Known answers that are evidence are not judged as best() judges them.
  using TakeScores = std::function<void(std::size_t query, std::span<const float> scores)>;
  virtual void read_scores(std::span<const Query> queries, const TakeScores& take,
                           const Context& context) const = 0;

  // The `top` best facts of some relations that are not known, as answers to (h, r, ?): by probability, then
  // score, then ids. Memory is about 80 bytes per wanted fact and thread.
  virtual Discovered discover(const DiscoverOptions& options, const Context& context) const = 0;

  // How probable facts are: the one place where a probability that a user sees is made. What it means is in
  // docs/calibration.md. Where the ranker judges facts, a fact has the same one however it is asked for;
  // elsewhere answers() has those of the scores of its queries, and this function those of (h, r, ?).
  virtual bool judges_facts() const { return false; }
  virtual std::vector<double> probabilities(std::span<const Triple> facts, const Context& context) const;
  // A probability of this ranker, if facts were missing at another rate (0: that of training).
  virtual double at_missing_share(double probability, double share) const {
    (void)share;  // only a ranker that judges facts knows a rate
    return probability;
  }
  // The answers of best(), with their probabilities. `known` is not set.
  virtual std::vector<std::vector<greenkgc::Answer>> answers(std::span<const Query> queries,
                                                             const TopOptions& options,
                                                             const Context& context) const;

  // The curves from scores to probabilities, for those who fit or compare them.
  virtual const FactProbability& probability() const = 0;

  // The ranker of the model's first stage: itself if there is no second one.
  virtual const Ranker& first_stage() const { return *this; }
  // The evidence that answers are judged by; null: none.
  virtual const EvidenceLists* evidence() const { return nullptr; }
};

// Chooses by whether the model has a second stage. Keeps references to the model. Throws kUnsupported if its
// trees ask for other features than this version reads.
std::unique_ptr<const Ranker> make_ranker(const model::NamedDecisions& named, const Context& context);

}  // namespace greenkgc::rank
