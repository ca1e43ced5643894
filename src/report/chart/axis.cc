#include "report/chart/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace greenkgc::report {
namespace {

constexpr double kWantedTicks = 5;
constexpr double kMostDecades = 6;
constexpr double kMost = 1e300;  // differences must not overflow

// 1, 2 or 5 times a power of ten, so that about kWantedTicks of it make `span`.
double nice_step(double span) {
  const double raw = span / kWantedTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * 1.0001) return factor * power;
  }
  return 10 * power;
}

std::string linear_text(double value, double step) {
  if (std::abs(value) < step / 2) value = 0;
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
  if (decimals > 5 || std::abs(value) >= 1e7) return fmt::format("{:.3g}", value);
  if (decimals == 0 && value >= 1e3) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string log_text(double value) {
  if (value >= 9.5e5) return fmt::format("{:.3g} M", value / 1e6);
  if (value >= 999.5) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return fmt::format("{:.3g}", value);
}

}  // namespace

Axis::Axis(double low, double high, Scale scale, bool round_ends) : scale_(scale), low_(low), high_(high) {
  const bool log = scale == Scale::kLog;
  low_ = std::clamp(low_, -kMost, kMost);
  high_ = std::clamp(high_, -kMost, kMost);
  if (!std::isfinite(low_) || (log && low_ <= 0)) low_ = log ? 1 : 0;
  if (!std::isfinite(high_) || high_ < low_) high_ = low_;
  if (log) {
    if (high_ <= low_ * 1.0001) low_ /= 2, high_ *= 2;
    make_log_ticks(round_ends);
    return;
  }
  if (high_ - low_ <= 1e-9 * std::max(std::abs(low_), std::abs(high_))) {
    const double half = low_ == 0 ? 0.5 : 0.1 * std::abs(low_);
    low_ -= half;
    high_ += half;
  }
  make_linear_ticks(round_ends);
}

void Axis::make_linear_ticks(bool round_ends) {
  const double step = nice_step(high_ - low_);
  if (round_ends) {
    low_ = std::floor(low_ / step + 1e-6) * step;
    high_ = std::ceil(high_ / step - 1e-6) * step;
  }
  const auto first = static_cast<std::int64_t>(std::ceil(low_ / step - 1e-6));
  for (std::int64_t i = first; static_cast<double>(i) * step <= high_ + 1e-6 * step && i < first + 20; ++i)
    ticks_.push_back({static_cast<double>(i) * step, linear_text(static_cast<double>(i) * step, step)});
}

// At powers of ten; where fewer than two decades are shown, at 2 and 5 as well.
void Axis::make_log_ticks(bool round_ends) {
  double from = std::floor(std::log10(low_) + 1e-9);
  double to = std::ceil(std::log10(high_) - 1e-9);
  const bool few = std::log10(high_ / low_) < 2;
  if (round_ends && !few) {
    low_ = std::pow(10, from);
    high_ = std::pow(10, to);
  }
  const double every = std::ceil((to - from) / kMostDecades);
  for (double decade = from; decade <= to; decade += std::max(1.0, every)) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, decade);
      if (factor > 1 && !few) break;
      if (value >= low_ * 0.999 && value <= high_ * 1.001) ticks_.push_back({value, log_text(value)});
    }
  }
}

double Axis::place(double value) const {
  if (scale_ == Scale::kLog) return std::log(value / low_) / std::log(high_ / low_);
  return (value - low_) / (high_ - low_);
}

bool Axis::shows(double value) const {
  return std::isfinite(value) && (scale_ == Scale::kLinear || value > 0);
}

}  // namespace greenkgc::report
