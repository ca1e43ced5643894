#pragma once

#include "graph/dataset.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/model.h"
#include "rank/evaluate/proposals.h"

namespace greenkgc {

// Has a model propose facts with some heads, and looks for the split's facts of these heads among them. The
// data have the model's ids. Facts of the split that the model knows are not hidden, and the context's log
// says how many there are; proposals that other splits have are dropped. Without any hidden fact nothing is
// proposed, and `all.hidden` is 0. Throws kUsage for a model that holds no facts.
CompletionReport evaluate_completion(const Model& model, const graph::Dataset& data, Split split,
                                     const HeadSample& sample, const Context& context);

}  // namespace greenkgc
