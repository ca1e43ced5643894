#pragma once

#include <cstdint>
#include <span>

#include "greenkgc/context.h"
#include "train/negatives/negatives.h"
#include "trees/train/samples.h"

namespace greenkgc::decide {

// The facts at these positions of source.facts, each with up to `per_side` false tails and as many false
// heads, from the sampler. Where that has too few for a query (every entity of the relation's range is a
// known answer), random entities take their place, which is said once through the context; a query whose
// known answers are nearly all entities has fewer. What is drawn for a fact depends on its position and the
// seed, not on the other facts. The same for any number of threads. 13 bytes a sample.
trees::Samples draw_samples(const NegativeSource& source, const NegativeSampler& sampler,
                            std::span<const std::uint64_t> positions, std::size_t per_side,
                            const Context& context);

}  // namespace greenkgc::decide
