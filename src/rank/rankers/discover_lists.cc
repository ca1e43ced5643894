#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/progress.h"
#include "rank/rankers/discover.h"
#include "rank/rankers/two_stage_ranker.h"

// Most queries have no missing answer, and a list costs a millisecond. So queries are asked in the order of a
// cheap estimate of whether one is missing, which reads counts alone, and the search ends where what is left
// cannot matter: where the estimates of all the rest together are a negligible share of the sum, or where
// facts that are probable enough are not to be expected any more.
namespace greenkgc::rank {
namespace {

constexpr std::size_t kListsAtOnce = 4096;
constexpr std::size_t kEstimatesPerPiece = 1024;
constexpr double kNegligible = 0.002;  // of the facts that are expected to be missing
// A fact is seldom more than this times as probable as its query was estimated to have a missing answer.
constexpr double kMaxSurprise = 16;

// One call of discover().
class ListSearch {
 public:
  ListSearch(const TwoStageRanker& ranker, const DiscoverOptions& options, const Context& context)
      : ranker_(ranker),
        options_(options),
        judges_(!ranker.fact_trees().empty()),
        found_(options, ranker.entity_count(), asks_likely_heads() ? &ranker.profiles() : nullptr),
        within_(context) {
    within_.progress = nullptr;
    choose_queries();
    limit_ = options.max_queries > 0 ? std::min(options.max_queries, queries_.size()) : queries_.size();
    progress_.emplace(context, "searching for missing facts", limit_, "queries");
  }

  Discovered run() && {
    std::size_t asked = 0;
    while (asked < limit_ && !hopeless(asked)) {
      const std::size_t count = std::min(kListsAtOnce, limit_ - asked);
      const auto block = std::span(queries_).subspan(asked, count);
      std::sort(block.begin(), block.end());  // those of a relation next to each other
      ask(block);
      asked += count;
    }
    progress_->advance(limit_ - asked);
    const bool was_cut = asked == limit_ && limit_ < queries_.size() && !hopeless(limit_);
    found_.ask_for_heads(ranker_, within_);
    return {std::move(found_).best(), was_cut ? queries_.size() - limit_ : 0};
  }

 private:
  bool asks_likely_heads() const { return options_.ranges != nullptr && (judges_ || options_.only_gaps); }

  void choose_queries() {
    for (const RelationId relation : options_.relations) {
      for (const EntityId head : found_.heads(relation)) queries_.push_back({head, relation, Side::kTail});
    }
    loops_.resize(ranker_.evidence()->graph().directed_count() / 2);
    for (const RelationId relation : options_.relations)
      loops_[index(relation)] = found_.allows_loops(relation);
    if (judges_) order_queries();
  }

  // The most likely to have a missing answer first.
  void order_queries() {
    std::vector<float> estimates(queries_.size());
    parallel_for(within_, queries_.size(), kEstimatesPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        estimates[i] = static_cast<float>(assumed(1 / (1 + std::exp(-ranker_.query_score(queries_[i])))));
    });
    std::vector<std::uint32_t> order(queries_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return estimates[a] != estimates[b] ? estimates[a] > estimates[b] : a < b;
    });
    std::vector<Query> ordered;
    for (const std::uint32_t i : order) {
      ordered.push_back(queries_[i]);
      estimates_.push_back(estimates[i]);
    }
    queries_ = std::move(ordered);
    remaining_.assign(estimates_.size() + 1, 0);
    for (std::size_t i = estimates_.size(); i-- > 0;)
      remaining_[i] = remaining_[i + 1] + static_cast<double>(estimates_[i]);
  }

  // Whether nothing is to be expected of the queries from `first` on.
  bool hopeless(std::size_t first) const {
    if (!judges_ || options_.ranges == nullptr) return false;
    return remaining_[first] < kNegligible * remaining_[0] ||
           kMaxSurprise * static_cast<double>(estimates_[first]) < found_.least_probability();
  }

  void ask(std::span<const Query> queries) {
    ranker_.evidence()->read(
        queries,
        [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
          consider(queries[i], list);
        },
        within_);
  }

  // The probability if as many facts are missing as the options say.
  double assumed(double probability) const {
    return ranker_.at_missing_share(probability, options_.missing_share);
  }

  // Called from several threads.
  void consider(const Query& query, const evidence::EvidenceReader::List& list) {
    std::vector<float> scores;
    ranker_.score(list, scores);
    const std::vector<std::size_t> picks = picks_of(query, list, scores);
    std::vector<double> probabilities(picks.size());
    if (judges_) {
      ranker_.list_probabilities(query, list, scores, picks, probabilities);
      for (double& p : probabilities) p = assumed(p);
    } else {
      std::vector<ScoredFact> facts;
      for (const std::size_t pick : picks) facts.push_back({query.fact(list.entities[pick]), scores[pick]});
      ranker_.probability().fill(facts, probabilities, within_);
    }
    BestFacts best(options_.top);
    for (std::size_t i = 0; i < picks.size(); ++i) {
      if (probabilities[i] >= options_.min_probability)
        best.add({query.fact(list.entities[picks[i]]), scores[picks[i]], probabilities[i], false});
    }
    found_.take(best);
    progress_->advance(1);
  }

  // Places of the best candidates that make facts which may be new.
  std::vector<std::size_t> picks_of(const Query& query, const evidence::EvidenceReader::List& list,
                                    std::span<const float> scores) const {
    std::vector<std::size_t> picks;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const Triple fact = query.fact(list.entities[i]);
      if ((loops_[index(query.relation)] || fact.head != fact.tail) && !found_.is_left_out(fact))
        picks.push_back(i);
    }
    if (options_.max_per_query == 0 || picks.size() <= options_.max_per_query) return picks;
    const auto last = picks.begin() + static_cast<std::ptrdiff_t>(options_.max_per_query);
    std::partial_sort(picks.begin(), last, picks.end(), [&](std::size_t a, std::size_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : list.entities[a] < list.entities[b];
    });
    picks.erase(last, picks.end());
    return picks;
  }

  const TwoStageRanker& ranker_;
  const DiscoverOptions& options_;
  const bool judges_;  // by fact trees
  Discovery found_;
  Context within_;  // of lists: progress is that of all calls
  std::optional<ProgressTask> progress_;
  std::vector<Query> queries_;
  std::size_t limit_ = 0;    // of queries_, so many may be asked
  std::vector<bool> loops_;  // by relation: a head may be its own tail
  // Where trees judge facts: the estimates by which queries are ordered, and their sums from each query on.
  std::vector<float> estimates_;
  std::vector<double> remaining_;
};

}  // namespace

Discovered TwoStageRanker::discover(const DiscoverOptions& options, const Context& context) const {
  return ListSearch(*this, options, context).run();
}

}  // namespace greenkgc::rank
