#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/chart/axis.h"

namespace greenkgc::report {

struct Point {
  double x;
  double y;
};

struct Series {
  std::string name;
  std::vector<Point> points;
  std::size_t colour = 0;  // of the palette; series that belong together share one
  enum class Form { kLine, kDashed, kDots, kSquares, kTriangles } form = Form::kLine;
};

struct AxisPlan {
  std::string label;
  Scale scale = Scale::kLinear;
  // Where the axis begins and ends; not said: where the data do.
  std::optional<double> from = {};
  std::optional<double> to = {};
};

// A vertical line with words at it.
struct Marker {
  double x;
  std::string text;
};

// Lines and dots over two axes. Points that an axis cannot show are left out; long series are thinned to what
// can be seen. Text may be any bytes.
struct LineChart {
  std::string title;
  AxisPlan x;
  AxisPlan y;
  std::vector<Series> series;
  std::vector<Marker> markers = {};
  bool diagonal = false;  // draws y = x
};

// Bars side by side for each category.
struct BarChart {
  std::string title;
  std::string x_label;
  AxisPlan y;
  std::vector<std::string> categories;
  struct Bars {
    std::string name;
    std::vector<double> values;  // one per category; not a number: none
    std::size_t colour = 0;
  };
  std::vector<Bars> bars;
};

// An <svg> element for a page with page_style(); it is as wide as its place.
std::string svg_of(const LineChart& chart);
std::string svg_of(const BarChart& chart);

// The same as a file of its own, with title and style.
std::string svg_file(const LineChart& chart);
std::string svg_file(const BarChart& chart);

// CSS: colors for light and dark, and for print; charts and tables.
std::string chart_style();

}  // namespace greenkgc::report
