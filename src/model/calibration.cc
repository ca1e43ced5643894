#include "model/calibration.h"

#include <algorithm>
#include <cmath>

namespace greenkgc::model {

double Calibration::probability(double margin) const {
  if (margins.empty()) return 1 / (1 + std::exp(-margin));
  const auto above = std::upper_bound(margins.begin(), margins.end(), margin);
  if (above == margins.begin()) return static_cast<double>(probabilities.front());
  if (above == margins.end()) return static_cast<double>(probabilities.back());
  const auto i = static_cast<std::size_t>(above - margins.begin());
  const double low = static_cast<double>(margins[i - 1]);
  const double high = static_cast<double>(margins[i]);
  const double share = high > low ? (margin - low) / (high - low) : 1;
  return static_cast<double>(probabilities[i - 1]) +
         share * (static_cast<double>(probabilities[i]) - static_cast<double>(probabilities[i - 1]));
}

}  // namespace greenkgc::model
