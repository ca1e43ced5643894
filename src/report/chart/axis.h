#pragma once

#include <string>
#include <vector>

namespace greenkgc::report {

enum class Scale { kLinear, kLog };

struct Tick {
  double value;
  std::string text;
};

// One direction of a chart: from values to places in [0, 1], with ticks at round numbers.
class Axis {
 public:
  // Covers `low` .. `high` (finite; a log scale needs them above 0, and takes anything else for 1); equal
  // ends are moved apart. With `round_ends` the axis ends at ticks.
  Axis(double low, double high, Scale scale, bool round_ends = true);

  double place(double value) const;  // outside [0, 1] for values outside
  bool shows(double value) const;    // a finite number, and above 0 on a log scale
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void make_linear_ticks(bool round_ends);
  void make_log_ticks(bool round_ends);

  Scale scale_;
  double low_;
  double high_;
  std::vector<Tick> ticks_;
};

}  // namespace greenkgc::report
