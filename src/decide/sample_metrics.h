#pragma once

#include <cstdint>
#include <span>

namespace greenkgc::decide {

// Both take one margin (log-odds) per sample, and labels 0 or 1.

// The mean of -log p(label), in nats; 0 without samples.
double log_loss(std::span<const float> margins, std::span<const std::uint8_t> labels);

// The area under the curve of precision over recall, as a sum of steps (average precision); samples of equal
// margin are taken together. 0 without positives.
double auc_pr(std::span<const float> margins, std::span<const std::uint8_t> labels);

}  // namespace greenkgc::decide
