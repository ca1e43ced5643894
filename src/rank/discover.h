#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "rank/best_facts.h"
#include "rank/likely_queries.h"
#include "rank/ranker.h"
#include "structure/profiles.h"

namespace greenkgc::rank {

// What both ways to discover facts share: which queries (h, r, ?) are asked, and the best of what all threads
// find. Keeps references to what it is made of.
class Discovery {
 public:
  // `profiles` are read where heads that resemble those of a relation are asked as well; null: they are not.
  Discovery(const DiscoverOptions& options, std::uint32_t entities, const structure::Profiles* profiles)
      : options_(options), entities_(entities), profiles_(profiles), best_(options.top) {}

  std::uint32_t entity_count() const { return entities_; }

  // Those that are asked for tails of the relation, ascending.
  std::vector<EntityId> heads(RelationId relation) const {
    std::vector<EntityId> heads = candidate_heads(relation);
    if (options_.only_gaps)
      std::erase_if(heads, [&](EntityId head) { return !options_.known->tails(head, relation).empty(); });
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
  std::vector<EntityId> candidate_heads(RelationId relation) const {
    if (profiles_ != nullptr)
      return profiles_->likely(structure::towards(relation, graph::Side::kTail), kMinLikely);
    std::vector<EntityId> heads;
    if (options_.ranges != nullptr) {
      const auto observed = options_.ranges->heads(relation);
      heads.assign(observed.begin(), observed.end());
    } else {
      for (std::uint32_t e = 0; e < entities_; ++e) heads.push_back(EntityId{e});
    }
    return heads;
  }

  const DiscoverOptions& options_;
  const std::uint32_t entities_;
  const structure::Profiles* profiles_;
  mutable std::mutex mutex_;  // guards best_
  BestFacts best_;
};

}  // namespace greenkgc::rank
