#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart/chart.h"
#include "report/chart/chart_frame.h"
#include "report/chart/text.h"

namespace greenkgc::report {
namespace {

constexpr std::size_t kMostPoints = 300;
constexpr std::size_t kMostDots = 40;  // with more, a line does without, unless it is of dots only

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Axis axis_for(const AxisPlan& plan, Range range, bool round_ends) {
  if (plan.from) range.low = *plan.from;
  if (plan.to) range.high = *plan.to;
  return {range.low, range.high, plan.scale, round_ends};
}

bool can_show(const Point& point, const LineChart& chart) {
  const auto shown = [](double value, Scale scale) {
    return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
  };
  return shown(point.x, chart.x.scale) && shown(point.y, chart.y.scale);
}

// Of a long series, points at even steps of the x axis; the first and the last stay.
std::vector<Point> thinned(const std::vector<Point>& points, const LineChart& chart, const Axis& x) {
  std::vector<Point> shown;
  std::copy_if(points.begin(), points.end(), std::back_inserter(shown),
               [&](const Point& point) { return can_show(point, chart); });
  if (shown.size() <= kMostPoints) return shown;
  std::vector<Point> some;
  double last = -1;
  for (const Point& point : shown) {
    const double place = x.place(point.x);
    if (place - last < 1.0 / kMostPoints && &point != &shown.back()) continue;
    some.push_back(point);
    last = place;
  }
  return some;
}

bool is_line(const Series& series) {
  return series.form == Series::Form::kLine || series.form == Series::Form::kDashed;
}

LegendEntry::Mark mark_of(Series::Form form) {
  switch (form) {
    case Series::Form::kDots:
      return LegendEntry::Mark::kDot;
    case Series::Form::kSquares:
      return LegendEntry::Mark::kSquare;
    case Series::Form::kTriangles:
      return LegendEntry::Mark::kTriangle;
    default:
      return LegendEntry::Mark::kLine;
  }
}

void draw_series(const Series& series, const LineChart& chart, const Axis& x, const Axis& y,
                 ChartFrame& frame) {
  const std::vector<Point> points = thinned(series.points, chart, x);
  const std::string colour = colour_class(series.colour);
  const LegendEntry look{series.name, colour, mark_of(series.form)};
  std::string path;
  std::string dots;
  for (const Point& point : points) {
    const double px = frame.x(x.place(point.x));
    const double py = frame.y(y.place(point.y));
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', px, py);
    if (is_line(series) && points.size() > kMostDots) continue;
    dots += point_mark(look, px, py, is_line(series) ? 2.6 : 3.5,
                       fmt::format("{}: {}, {}", series.name, short_number(point.x), short_number(point.y)));
  }
  if (is_line(series) && points.size() > 1)
    frame.add(fmt::format(R"(<path class="line {}{}" d="{}"><title>{}</title></path>)", colour,
                          series.form == Series::Form::kDashed ? " dashed" : "", path, escaped(series.name)));
  frame.add(dots);
}

void draw_marker(const Marker& marker, const Axis& x, ChartFrame& frame) {
  if (!x.shows(marker.x)) return;
  const double place = x.place(marker.x);
  if (place < 0 || place > 1) return;
  const double at = frame.x(place);
  frame.add(fmt::format(R"(<path class="cut" d="M{:.1f} {:.1f}V{:.1f}"/>)", at, frame.top(), frame.bottom()));
  const bool to_left = place > 0.6;
  frame.text(at + (to_left ? -5 : 5), frame.top() + 11, to_left ? "end" : "start", marker.text, "key");
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  for (const Series& series : chart.series) {
    const bool dashed = series.form == Series::Form::kDashed;
    legend.push_back(
        {series.name, colour_class(series.colour) + (dashed ? " dashed" : ""), mark_of(series.form)});
  }
  return legend;
}

std::string drawn(const LineChart& chart, bool alone) {
  Range x_range;
  Range y_range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      if (!can_show(point, chart)) continue;
      x_range.add(point.x);
      y_range.add(point.y);
    }
  }
  const Axis x = axis_for(chart.x, x_range, false);
  const Axis y = axis_for(chart.y, y_range, true);
  ChartFrame frame(chart.title, legend_of(chart), &x, y, chart.x.label, chart.y.label);
  if (chart.diagonal)
    frame.add(fmt::format(R"(<path class="cut" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)", frame.x(0), frame.y(0),
                          frame.x(1), frame.y(1)));
  for (const Marker& marker : chart.markers) draw_marker(marker, x, frame);
  for (const Series& series : chart.series) draw_series(series, chart, x, y, frame);
  if (x_range.low > x_range.high) frame.text(kWidth / 2, kHeight / 2, "middle", "no data", "label");
  return frame.finish(alone);
}

}  // namespace

std::string svg_of(const LineChart& chart) {
  return drawn(chart, false);
}

std::string svg_file(const LineChart& chart) {
  return drawn(chart, true);
}

}  // namespace greenkgc::report
