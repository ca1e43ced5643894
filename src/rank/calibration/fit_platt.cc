#include "rank/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace greenkgc::rank {
namespace {

double logistic(double z) {
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

double smoothed_share(std::span<const CountedMargin> samples) {
  const auto positives = static_cast<double>(positives_in(samples));
  double all = 0;
  for (const CountedMargin& sample : samples)
    all += static_cast<double>(sample.positives) + static_cast<double>(sample.negatives);
  return (positives + 1) / (all + 2);
}

// log(1 + exp(z)) without overflow.
double softplus(double z) {
  return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

struct Line {
  double slope = 0;
  double offset = 0;
};

// Newton's method with step halving; Lin, Lin and Weng (2007) describe why Platt's own steps may fail.
class PlattFit {
 public:
  explicit PlattFit(std::span<const CountedMargin> samples) : samples_(samples) {
    for (const CountedMargin& sample : samples) {
      positives_ += static_cast<double>(sample.positives);
      negatives_ += static_cast<double>(sample.negatives);
      mean_ += static_cast<double>(sample.margin) *
               (static_cast<double>(sample.positives) + static_cast<double>(sample.negatives));
    }
    mean_ /= positives_ + negatives_;
  }

  Line fit() const {
    Line line{0, std::log((positives_ + 1) / (negatives_ + 1))};
    double loss = loss_of(line);
    for (int step = 0; step < kMostSteps; ++step) {
      const Line direction = newton_direction(line);
      double rate = 1;
      double next_loss = loss;
      Line next = line;
      for (; rate > kLeastRate; rate /= 2) {
        next = {line.slope + rate * direction.slope, line.offset + rate * direction.offset};
        next_loss = loss_of(next);
        if (next_loss < loss) break;
      }
      if (!(next_loss < loss)) break;
      line = next;
      loss = next_loss;
    }
    return {line.slope, line.offset - line.slope * mean_};
  }

 private:
  static constexpr int kMostSteps = 100;
  static constexpr double kLeastRate = 1e-10;
  static constexpr double kRidge = 1e-12;  // keeps the second derivatives invertible

  double target_of_positive() const { return (positives_ + 1) / (positives_ + 2); }
  double target_of_negative() const { return 1 / (negatives_ + 2); }

  // Margins are taken from their mean: that keeps the second derivatives well-conditioned.
  double z_of(const Line& line, const CountedMargin& sample) const {
    return line.slope * (static_cast<double>(sample.margin) - mean_) + line.offset;
  }

  double loss_of(const Line& line) const {
    double loss = 0;
    for (const CountedMargin& sample : samples_) {
      const double z = z_of(line, sample);
      loss += static_cast<double>(sample.positives) * (softplus(z) - target_of_positive() * z) +
              static_cast<double>(sample.negatives) * (softplus(z) - target_of_negative() * z);
    }
    return loss;
  }

  Line newton_direction(const Line& line) const {
    double g_slope = 0, g_offset = 0, h_slope = 0, h_both = 0, h_offset = 0;
    for (const CountedMargin& sample : samples_) {
      const double x = static_cast<double>(sample.margin) - mean_;
      const double p = logistic(z_of(line, sample));
      const auto n_positive = static_cast<double>(sample.positives);
      const auto n_negative = static_cast<double>(sample.negatives);
      const double g = n_positive * (p - target_of_positive()) + n_negative * (p - target_of_negative());
      const double h = (n_positive + n_negative) * p * (1 - p);
      g_slope += g * x;
      g_offset += g;
      h_slope += h * x * x;
      h_both += h * x;
      h_offset += h;
    }
    h_slope += kRidge;
    h_offset += kRidge;
    const double determinant = h_slope * h_offset - h_both * h_both;
    if (!(determinant > 0)) return {-g_slope / h_slope, -g_offset / h_offset};
    return {-(h_offset * g_slope - h_both * g_offset) / determinant,
            -(h_slope * g_offset - h_both * g_slope) / determinant};
  }

  std::span<const CountedMargin> samples_;
  double positives_ = 0;
  double negatives_ = 0;
  double mean_ = 0;
};

// Places from 0 upwards between which straight lines err by less than half of 1e-4: a chord of length h errs
// by h * h / 8 times the second derivative, which is largest (0.0963) at 1.317 and falls from there.
std::vector<double> logistic_knots() {
  constexpr double kError = 5e-5;
  constexpr double kSteepest = 1.317;
  constexpr double kLongest = 0.55;  // in the tail a chord errs by h * h / 8 of the value
  constexpr double kLast = 25;       // beyond, probabilities are below 1e-10
  std::vector<double> knots = {0};
  while (knots.back() < kLast) {
    const double p = logistic(std::max(knots.back(), kSteepest));
    const double bend = p * (1 - p) * (2 * p - 1);
    knots.push_back(knots.back() + std::min(kLongest, std::sqrt(8 * kError / bend)));
  }
  return knots;
}

}  // namespace

model::Calibration fit_platt(std::span<const CountedMargin> samples) {
  constexpr double kFlattest = 1e-6;       // the slope of a curve that is as good as level
  constexpr double kLargestBelowOne = 16;  // where the logistic function is a float below 1
  const Line line = PlattFit(samples).fit();
  model::Calibration curve;
  const auto add = [&](double z) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    curve.margins.push_back(
        static_cast<float>(std::clamp((z - line.offset) / line.slope, -kLargest, kLargest)));
    curve.probabilities.push_back(static_cast<float>(logistic(z)));
  };
  if (line.slope < kFlattest) {
    curve.margins = {0};
    curve.probabilities = {static_cast<float>(smoothed_share(samples))};
    return curve;
  }
  const std::vector<double> knots = logistic_knots();
  for (std::size_t i = knots.size(); i-- > 1;) add(-knots[i]);
  for (const double z : knots) {
    if (z < kLargestBelowOne) add(z);
  }
  return curve;
}

}  // namespace greenkgc::rank
