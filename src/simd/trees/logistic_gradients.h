#pragma once

#include <cstdint>
#include <span>

namespace greenkgc::simd {

// First and second derivative of a sample's loss by its margin, in units of 1 / kGradientUnit. Whole numbers:
// sums of them are exact, and so the same in whatever order they are taken.
struct GradientPair {
  std::int32_t gradient = 0;
  std::int32_t hessian = 0;
};
// The largest power of two that leaves room for samples of weight up to kMostWeight.
inline constexpr double kGradientUnit = 1 << 28;
inline constexpr std::int32_t kMostWeight = 7;

// Of the log-loss, by SIMD: gradient sigmoid(margin) - label, hessian sigmoid(margin) * sigmoid(-margin), but
// at least one unit. Labels are 0 or 1, margins finite. Elementwise: how rows are cut into calls does not
// matter. All spans have the same length.
void logistic_gradients(std::span<const float> margins, std::span<const std::uint8_t> labels,
                        std::span<GradientPair> gradients);

}  // namespace greenkgc::simd
