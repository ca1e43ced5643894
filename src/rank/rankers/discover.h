#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "evidence/profiles.h"
#include "rank/best_facts.h"
#include "rank/rankers/likely_queries.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::rank {

// What both ways to discover facts share: which queries (h, r, ?) are asked, and the best of what all threads
// find. Keeps references to what it is made of.
class Discovery {
 public:
  // `profiles` are read where heads that resemble those of a relation are asked as well; null: they are not.
  Discovery(const DiscoverOptions& options, std::uint32_t entities, const evidence::Profiles* profiles)
      : options_(options), entities_(entities), profiles_(profiles), best_(options.top) {}

  std::uint32_t entity_count() const { return entities_; }

  // Those that are asked for tails of the relation, ascending.
  std::vector<EntityId> heads(RelationId relation) const {
    std::vector<EntityId> heads = candidates(relation, graph::Side::kTail);
    std::erase_if(heads, [&](EntityId head) {
      return !may_be_head(head, relation) || (!options_.about.empty() && !is_about(head));
    });
    return heads;
  }
  // Whether a head may be its own tail.
  bool allows_loops(RelationId relation) const {
    if (options_.ranges == nullptr) return true;
    const auto heads = options_.ranges->heads(relation);
    return std::any_of(heads.begin(), heads.end(), [&](EntityId entity) {
      return options_.known->contains({entity, relation, entity});
    });
  }

  // Asks for the heads of facts that have one of the wanted entities as tail, but not as head: facts that
  // heads() does not lead to.
  void ask_for_heads(const Ranker& ranker, const Context& context) {
    std::vector<Query> queries;
    std::vector<bool> loops;  // of each query
    for (const RelationId relation : options_.relations) {
      if (options_.about.empty()) break;
      const bool allows = allows_loops(relation);
      for (const EntityId tail : candidates(relation, graph::Side::kHead)) {
        if (!is_about(tail)) continue;
        queries.push_back({tail, relation, graph::Side::kHead});
        loops.push_back(allows);
      }
    }
    if (queries.empty()) return;
    const std::size_t k = options_.max_per_query > 0 ? options_.max_per_query : options_.top;
    const auto answers = ranker.answers(queries, {.k = k, .known = options_.known}, context);
    BestFacts found(options_.top);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      for (greenkgc::Answer answer : answers[i]) {
        const auto& [head, relation, tail] = answer.fact;
        answer.probability = ranker.at_missing_share(answer.probability, options_.missing_share);
        if (may_be_head(head, relation) && !is_about(head) && (loops[i] || head != tail) &&
            !is_left_out(answer.fact) && answer.probability >= options_.min_probability)
          found.add(answer);
      }
    }
    take(found);
  }

  // Whether a fact is not to be proposed.
  bool is_left_out(const Triple& fact) const {
    return options_.known->contains(fact) ||
           (options_.exclude != nullptr && options_.exclude->contains(fact));
  }

  // Both are called from several threads.
  void take(const BestFacts& found) {
    const std::scoped_lock lock(mutex_);
    best_.merge(found);
  }
  // Less probable facts are not wanted any more.
  double least_probability() const {
    const std::scoped_lock lock(mutex_);
    return std::max(options_.min_probability, min_probability(best_));
  }

  std::vector<greenkgc::Answer> best() && { return std::move(best_).sorted(); }

 private:
  bool is_about(EntityId entity) const {
    return std::binary_search(options_.about.begin(), options_.about.end(), entity);
  }
  bool may_be_head(EntityId head, RelationId relation) const {
    if (options_.heads != nullptr && !(*options_.heads)[index(head)]) return false;
    return !options_.only_gaps || options_.known->tails(head, relation).empty();
  }

  // Those that are asked for answers on that side, ascending, of all entities.
  std::vector<EntityId> candidates(RelationId relation, graph::Side side) const {
    if (profiles_ != nullptr) return profiles_->likely(evidence::towards(relation, side), kMinLikely);
    std::vector<EntityId> candidates;
    if (options_.ranges != nullptr) {
      const auto observed =
          side == graph::Side::kTail ? options_.ranges->heads(relation) : options_.ranges->tails(relation);
      candidates.assign(observed.begin(), observed.end());
    } else {
      for (std::uint32_t e = 0; e < entities_; ++e) candidates.push_back(EntityId{e});
    }
    return candidates;
  }

  const DiscoverOptions& options_;
  const std::uint32_t entities_;
  const evidence::Profiles* profiles_;
  mutable std::mutex mutex_;  // guards best_
  BestFacts best_;
};

}  // namespace greenkgc::rank
