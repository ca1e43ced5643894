#pragma once

#include <cstdint>
#include <span>

#include "greenkgc/context.h"

namespace greenkgc::trees {

// Both take one margin (log-odds, finite) per sample, and labels 0 or 1. The result is the same for any
// number of threads.

// The mean of -log p(label), in nats; 0 without samples.
double log_loss(std::span<const float> margins, std::span<const std::uint8_t> labels,
                const Context& context = {});

// The area under the curve of precision over recall, as a sum of steps (average precision); samples of equal
// margin are taken together. 0 without positives. Positives are sorted, the rest only counted: O(n log p) for
// p positives, in 8 bytes per positive and 4 more per positive and thread.
double auc_pr(std::span<const float> margins, std::span<const std::uint8_t> labels,
              const Context& context = {});

}  // namespace greenkgc::trees
