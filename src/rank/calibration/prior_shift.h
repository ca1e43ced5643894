#pragma once

#include <span>

namespace greenkgc::rank {

// Finite even for probabilities of 0 and 1.
double log_odds_of(double probability);

// Adds to the log-odds of all probabilities the one amount for which their mean becomes `prior`, as if that
// share of them were true. Their order stays (rounding may make neighbors equal). 0 < prior < 1;
// probabilities of 0 and 1 count as the nearest that a double can express. The cost is about 40 exponentials
// for each.
void shift_to_prior(std::span<double> probabilities, double prior);

}  // namespace greenkgc::rank
