#include <algorithm>
#include <mutex>

#include "base/progress.h"
#include "rank/best_facts.h"
#include "rank/discover.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kQuestionsAtOnce = 4096;

// One call of discover_facts.
class ListDiscovery {
 public:
  ListDiscovery(const TwoStage& model, const model::Calibration& probability, const DiscoverOptions& options,
                const Context& context)
      : model_(model),
        probability_(probability),
        options_(options),
        within_(context),
        progress_(context, "searching for missing facts", question_count(), "questions"),
        best_(options.top) {
    within_.progress = nullptr;
  }

  std::vector<FoundFact> run() && {
    for (const RelationId relation : options_.relations) {
      const bool loops = allows_loops(relation);
      for (std::size_t i = 0; i < head_count(relation); ++i) {
        questions_.push_back({head(relation, i), relation, Side::kTail});
        if (questions_.size() == kQuestionsAtOnce) ask(loops);
      }
      ask(loops);
    }
    return std::move(best_).sorted();
  }

 private:
  std::size_t head_count(RelationId relation) const {
    return options_.ranges == nullptr ? model_.entity_count() : options_.ranges->heads(relation).size();
  }
  EntityId head(RelationId relation, std::size_t i) const {
    return options_.ranges == nullptr ? EntityId{static_cast<std::uint32_t>(i)}
                                      : options_.ranges->heads(relation)[i];
  }
  std::uint64_t question_count() const {
    std::uint64_t count = 0;
    for (const RelationId relation : options_.relations) count += head_count(relation);
    return count;
  }
  bool allows_loops(RelationId relation) const {
    if (options_.ranges == nullptr) return true;
    const auto heads = options_.ranges->heads(relation);
    return std::any_of(heads.begin(), heads.end(), [&](EntityId entity) {
      return options_.known->contains({entity, relation, entity});
    });
  }

  void ask(bool loops) {
    model_.lists().read(
        questions_,
        [&](std::size_t i, std::span<const float>, const structure::EvidenceReader::List& list) {
          consider(questions_[i], list, loops);
        },
        within_);
    questions_.clear();
  }

  // Called from several threads.
  void consider(const Query& query, const structure::EvidenceReader::List& list, bool loops) {
    std::vector<float> margins;
    model_.score(list, margins);
    std::vector<FoundFact> found;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      const Triple fact{query.known, query.relation, list.entities[i]};
      if ((!loops && fact.head == fact.tail) || options_.known->contains(fact)) continue;
      const double probability = probability_.probability(static_cast<double>(margins[i]));
      if (probability >= options_.min_probability) found.push_back({fact, margins[i], probability, false});
    }
    {
      const std::scoped_lock lock(mutex_);
      for (const FoundFact& fact : found) best_.add(fact);
    }
    progress_.advance(1);
  }

  const TwoStage& model_;
  const model::Calibration& probability_;
  const DiscoverOptions& options_;
  Context within_;  // of lists: progress is that of all calls
  ProgressTask progress_;
  std::vector<Query> questions_;
  std::mutex mutex_;  // guards best_
  BestFacts best_;
};

}  // namespace

std::vector<FoundFact> discover_facts(const TwoStage& model, const model::Calibration& probability,
                                      const DiscoverOptions& options, const Context& context) {
  return ListDiscovery(model, probability, options, context).run();
}

}  // namespace greenkgc::rank
