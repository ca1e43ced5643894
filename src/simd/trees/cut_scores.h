#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/trees/sum_rows.h"

namespace greenkgc::simd {

inline constexpr std::size_t kMostCuts = 256;

// What a histogram of up to kMostCuts bins says of its cuts; cut c is behind bin c.
struct CutScores {
  GradientSums left[kMostCuts];  // the sums up to the cut
  double scores[kMostCuts];      // gradient^2 / (hessian + lambda) on the left plus that on the right
  double highest = 0;            // of the scores
};

struct CutRule {
  GradientSums total;    // of all bins
  double lambda;         // at least 0
  double least_hessian;  // at least 1: of either side, else the score is 0
};

// All in the units of the sums. Prefix sums are exact, scores rounded. By SIMD: bound by a division per cut.
void score_cuts(std::span<const GradientSums> histogram, const CutRule& rule, CutScores& cuts);

}  // namespace greenkgc::simd
