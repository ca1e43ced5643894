#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "rank/best_facts.h"
#include "rank/ranker.h"

namespace greenkgc::rank {

// What both ways to discover facts share: which queries (h, r, ?) are asked, and the best of what all threads
// find. Keeps a reference to the options.
class Discovery {
 public:
  Discovery(const DiscoverOptions& options, std::uint32_t entities)
      : options_(options), entities_(entities), best_(options.top) {}

  std::uint32_t entity_count() const { return entities_; }

  std::size_t head_count(RelationId relation) const {
    return options_.ranges == nullptr ? entities_ : options_.ranges->heads(relation).size();
  }
  EntityId head(RelationId relation, std::size_t i) const {
    return options_.ranges == nullptr ? EntityId{static_cast<std::uint32_t>(i)}
                                      : options_.ranges->heads(relation)[i];
  }
  // Whether a head may be its own tail.
  bool allows_loops(RelationId relation) const {
    if (options_.ranges == nullptr) return true;
    const auto heads = options_.ranges->heads(relation);
    return std::any_of(heads.begin(), heads.end(), [&](EntityId entity) {
      return options_.known->contains({entity, relation, entity});
    });
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
  const DiscoverOptions& options_;
  const std::uint32_t entities_;
  mutable std::mutex mutex_;  // guards best_
  BestFacts best_;
};

}  // namespace greenkgc::rank
