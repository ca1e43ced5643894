#include "base/progress.h"
#include "rank/discover.h"
#include "rank/two_stage_ranker.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kListsAtOnce = 4096;

// One call of discover().
class ListSearch {
 public:
  ListSearch(const TwoStageRanker& ranker, const DiscoverOptions& options, const Context& context)
      : ranker_(ranker),
        options_(options),
        found_(options, ranker.entity_count()),
        within_(context),
        progress_(context, "searching for missing facts", query_count(), "questions") {
    within_.progress = nullptr;
  }

  std::vector<greenkgc::Answer> run() && {
    for (const RelationId relation : options_.relations) {
      const bool loops = found_.allows_loops(relation);
      for (std::size_t i = 0; i < found_.head_count(relation); ++i) {
        queries_.push_back({found_.head(relation, i), relation, Side::kTail});
        if (queries_.size() == kListsAtOnce) ask(loops);
      }
      ask(loops);
    }
    return std::move(found_).best();
  }

 private:
  std::uint64_t query_count() const {
    std::uint64_t count = 0;
    for (const RelationId relation : options_.relations) count += found_.head_count(relation);
    return count;
  }

  void ask(bool loops) {
    ranker_.evidence()->read(
        queries_,
        [&](std::size_t i, std::span<const float>, const structure::EvidenceReader::List& list) {
          consider(queries_[i], list, loops);
        },
        within_);
    queries_.clear();
  }

  // Called from several threads.
  void consider(const Query& query, const structure::EvidenceReader::List& list, bool loops) {
    std::vector<float> scores;
    ranker_.score(list, scores);
    std::vector<ScoredFact> facts;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const Triple fact = query.fact(list.entities[i]);
      if ((loops || fact.head != fact.tail) && !options_.known->contains(fact))
        facts.push_back({fact, scores[i]});
    }
    const std::vector<double> probabilities = ranker_.probability().of(facts, within_);
    BestFacts best(options_.top);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (probabilities[i] >= options_.min_probability)
        best.add({facts[i].fact, facts[i].score, probabilities[i], false});
    }
    found_.take(best);
    progress_.advance(1);
  }

  const TwoStageRanker& ranker_;
  const DiscoverOptions& options_;
  Discovery found_;
  Context within_;  // of lists: progress is that of all calls
  ProgressTask progress_;
  std::vector<Query> queries_;
};

}  // namespace

std::vector<greenkgc::Answer> TwoStageRanker::discover(const DiscoverOptions& options,
                                                       const Context& context) const {
  return ListSearch(*this, options, context).run();
}

}  // namespace greenkgc::rank
