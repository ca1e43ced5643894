#pragma once

#include "base/files/event_log.h"
#include "features/features.h"
#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "kge/embedding_tensors.h"

namespace greenkgc {

struct RefitPlan {
  const kge::Provenance& provenance;  // of the embedding: its recorded options say how to train
  std::uint64_t epochs;
  double rate;
};

// Filtered MRR on a sample of valid; -1 if there was no validation.
struct RefitResult {
  double mrr_before = -1;
  double mrr_after = -1;
  std::uint64_t best_epoch = 0;  // whose vectors were kept; 0: the pruned ones as they were
};

// The pruned vectors go on training from their values, with the loss of module 1. Each epoch goes through the
// groups in turn: a group's facts train the dimensions that it keeps, so that what is trained is what ranks;
// dimensions that several groups keep are trained by each. Groups that keep the same dimensions are trained
// as one. Of the epochs that are validated (as often as in the embedding's training, and the last), the best
// is kept. `known` are the facts of train. The same bits for any number of threads.
RefitResult refit_features(features::Features& features, const graph::Dataset& data,
                           const graph::KnownFacts& known, const RefitPlan& plan, const EventLog& log,
                           const Context& context);

}  // namespace greenkgc
