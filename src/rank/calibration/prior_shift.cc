#include "rank/calibration/prior_shift.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace greenkgc::rank {
namespace {

constexpr double kLeast = std::numeric_limits<double>::min();
constexpr double kPrecision = 1e-11;  // of the amount, in log-odds

double logistic(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

double mean_shifted_by(std::span<const double> all_log_odds, double amount) {
  double sum = 0;
  for (const double x : all_log_odds) sum += logistic(x + amount);
  return sum / static_cast<double>(all_log_odds.size());
}

}  // namespace

double log_odds_of(double probability) {
  const double p = std::clamp(probability, kLeast, 1 - std::numeric_limits<double>::epsilon() / 2);
  return std::log(p) - std::log1p(-p);
}

// The mean rises with the amount. By the one that takes the largest log-odds to the prior's no probability is
// above the prior, by the one that takes the smallest there none is below: what is sought is between these.
void shift_to_prior(std::span<double> probabilities, double prior) {
  if (probabilities.empty()) return;
  for (double& p : probabilities) p = log_odds_of(p);
  const auto [smallest, largest] = std::minmax_element(probabilities.begin(), probabilities.end());
  double low = log_odds_of(prior) - *largest;
  double high = log_odds_of(prior) - *smallest;
  while (high - low > kPrecision) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;  // doubles have none between them
    (mean_shifted_by(probabilities, middle) < prior ? low : high) = middle;
  }
  const double amount = low + (high - low) / 2;
  for (double& p : probabilities) p = logistic(p + amount);
}

}  // namespace greenkgc::rank
