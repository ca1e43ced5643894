#pragma once

#include <span>

#include "greenkgc/context.h"
#include "simd/trees/logistic_gradients.h"
#include "trees/train/lists/lists.h"
#include "trees/train/objective.h"

namespace greenkgc::trees {

// Under softmax, each answer of a list is held against the candidates of the list that are none: -log of
// exp(m) / (exp(m) + sum over the others of exp). A list counts as often as it has answers, but at most
// kMostWeight times; one without answers does not count, and its gradients are 0. All results are the same
// for any number of threads.
void list_gradients(Objective objective, const Lists& lists, std::span<const float> margins,
                    std::span<simd::GradientPair> gradients, const Context& context);

struct ListFigures {
  double loss = 0;  // log-loss: the mean over rows; softmax: over answers. In nats
  double mrr = 0;   // of answers among their list's candidates that are none, the mean over ties
};
ListFigures list_figures(Objective objective, const Lists& lists, std::span<const float> margins,
                         const Context& context);

}  // namespace greenkgc::trees
