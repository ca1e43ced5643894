#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/chart/chart.h"

namespace greenkgc::report {

inline constexpr double kWidth = 480;
inline constexpr double kHeight = 300;
inline constexpr std::size_t kColours = 8;

// How a series looks in the legend.
struct LegendEntry {
  std::string name;
  std::string css_class;  // of the line or the bar
  enum class Mark { kLine, kDot, kSquare, kTriangle, kBar } mark = Mark::kLine;
};

// What all charts have: legend, axes, grid, the place of things. Text grows into `out`.
class ChartFrame {
 public:
  // `x` may be null: a chart of categories draws its own.
  ChartFrame(std::string_view title, const std::vector<LegendEntry>& legend, const Axis* x, const Axis& y,
             std::string_view x_label, std::string_view y_label);

  double left() const { return left_; }
  double right() const { return kWidth - 12; }
  double top() const { return top_; }
  double bottom() const { return kHeight - 44; }
  double x(double place) const { return left() + place * (right() - left()); }
  double y(double place) const { return bottom() - place * (bottom() - top()); }

  void add(std::string_view svg) { out_ += svg; }
  void text(double x, double y, std::string_view anchor, std::string_view words, std::string_view css_class);
  std::string finish(bool alone) const;

 private:
  void draw_legend(const std::vector<LegendEntry>& legend);
  void draw_grid(const Axis* x, const Axis& y);

  std::string title_;
  double left_;
  double top_ = 12;
  std::string out_;
};

std::string colour_class(std::size_t colour);  // "c3"

// A dot, square or triangle around a place; with words that come up over it, unless they are empty.
std::string point_mark(const LegendEntry& look, double x, double y, double radius, std::string_view title);

}  // namespace greenkgc::report
