#pragma once

#include <map>
#include <string>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "model/features.h"

namespace greenkgc {

struct RefitPlan {
  const std::map<std::string, std::string>& provenance;  // of the embedding: its options train on
  std::uint64_t epochs;
  double rate;
};

// Filtered MRR on a sample of valid; -1 if there is no valid split.
struct RefitResult {
  double mrr_before = -1;
  double mrr_after = -1;
};

// The pruned vectors go on training from their values, with the loss of module 1. All groups must keep the
// same dimensions. `known` are the facts of train.
RefitResult refit_features(model::Features& features, const graph::Dataset& data,
                           const graph::KnownFacts& known, const RefitPlan& plan, const Context& context);

}  // namespace greenkgc
