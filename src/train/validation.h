#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/features.h"
#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "rank/ranks.h"

namespace greenkgc {

// Throws kUsage if training left numbers that are not finite. To be called before an epoch is taken for the
// best: scores that are no numbers beat nothing and are beaten by nothing, so every answer would rank first.
void check_not_diverged(const kge::Embeddings& embeddings);

// Filtered MRR on a sample of valid that stays the same for a whole training; other answers known from train
// and valid are left out. The same seed gives the same sample.
class Validation {
 public:
  // 0 facts: none.
  Validation(const graph::Dataset& data, std::uint64_t facts, const Context& context);

  bool possible() const { return !queries_.empty(); }
  std::span<const rank::RankQuery> queries() const { return queries_; }
  const graph::KnownFacts& known() const { return known_; }

  // Without progress of their own: the training's line stays.
  double mrr(const kge::Embeddings& embeddings, const Context& context) const;
  double mrr(const features::Features& features, const Context& context) const;

 private:
  template <class Model>
  double mean_of(const Model& ranked, Context context) const;

  graph::KnownFacts known_;
  std::vector<rank::RankQuery> queries_;
};

}  // namespace greenkgc
