#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/calibration.h"

namespace greenkgc::rank {

// Candidates of one margin: how many of them make a fact, and how many do not.
struct CountedMargin {
  float margin;
  std::uint64_t positives;
  std::uint64_t negatives;

  friend bool operator==(const CountedMargin&, const CountedMargin&) = default;
};

std::uint64_t positives_in(std::span<const CountedMargin> samples);

inline constexpr std::size_t kMostKnots = 256;

// Both take samples by ascending margin, with positives and negatives among them, and give a curve of at most
// kMostKnots knots. They compute in double, one sample after another.

// Platt's two-parameter logistic function, fitted to his smoothed targets; knots follow it to 1e-4 (and,
// where it is small, to 4 % of itself). Level where a rising function would fit worse.
model::Calibration fit_platt(std::span<const CountedMargin> samples);

// The function that never falls with the least squared error (pool adjacent violators): level over each pool,
// straight between. An outermost pool without positives (negatives) has Platt's smoothed share instead of 0
// (1). Beyond kMostKnots, pools whose merging costs least are merged.
model::Calibration fit_isotonic(std::span<const CountedMargin> samples);

}  // namespace greenkgc::rank
