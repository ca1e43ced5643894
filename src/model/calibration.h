#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace greenkgc::model {

// From margins to probabilities: a curve that never falls, fitted on validation data
// (rank/calibration/calibrate.h). Between two knots it is straight, beyond the outermost ones it is level.
struct Calibration {
  std::vector<float> margins;        // of the knots, ascending
  std::vector<float> probabilities;  // ascending, in [0, 1]

  // Without knots, the logistic function of the margin.
  double probability(double margin) const;
};

}  // namespace greenkgc::model
