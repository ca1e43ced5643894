#pragma once

#include <cstdint>
#include <span>

#include "greenkgc/context.h"
#include "simd/trees/logistic_gradients.h"
#include "trees/train/samples.h"

namespace greenkgc::trees {

enum class Objective {
  kLogLoss,  // each sample for itself, as in the paper
  kSoftmax,  // each query's fact against its false answers; needs samples.facts
};

// One margin per sample. The result is the same for any number of threads.
void objective_gradients(Objective objective, const Samples& samples, std::span<const float> margins,
                         std::span<simd::GradientPair> gradients, const Context& context);

// What is minimized: the mean over samples of -log p(label), or over queries of -log p(fact). In nats.
double objective_loss(Objective objective, const Samples& samples, std::span<const float> margins,
                      const Context& context = {});

// Leaves samples out by setting their gradients to 0: each stays with probability `share`, by the seed, the
// tree's number and its place.
void keep_share(std::span<simd::GradientPair> gradients, double share, std::uint64_t tree,
                const Context& context);

// Multiplies by weights 0, 1, 2, ... of a Poisson distribution of mean 1, at most kMostWeight: how often a
// sample is in a bootstrap sample.
void weigh_as_bootstrap(std::span<simd::GradientPair> gradients, std::uint64_t tree, const Context& context);

}  // namespace greenkgc::trees
