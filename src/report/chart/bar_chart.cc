#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart/chart.h"
#include "report/chart/chart_frame.h"
#include "report/chart/text.h"

namespace greenkgc::report {
namespace {

constexpr double kMostBarWidth = 36;

// A log axis begins a little below the smallest bar, a linear one at 0.
Axis value_axis(const BarChart& chart) {
  const bool log = chart.y.scale == Scale::kLog;
  double low = log ? 1e300 : 0;
  double high = 0;
  for (const BarChart::Bars& bars : chart.bars) {
    for (const double value : bars.values) {
      if (!std::isfinite(value) || (log && value <= 0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (log) low = std::max(std::min(low, high) / 2, 1e-300);
  return {chart.y.from.value_or(low), chart.y.to.value_or(high), chart.y.scale};
}

std::string rounded_bar(double x, double width, double top, double bottom, const std::string& css_class,
                        const std::string& title) {
  const double radius = std::min({2.5, width / 2, std::max(0.0, bottom - top)});
  return fmt::format(
      R"(<path class="bar {}" d="M{:.1f} {:.1f}V{:.1f}q0 {:.1f} {:.1f} {:.1f}h{:.1f}q{:.1f} 0 {:.1f} {:.1f}V{:.1f}z"><title>{}</title></path>)",
      css_class, x, bottom, top + radius, -radius, radius, -radius, width - 2 * radius, radius, radius,
      radius, bottom, escaped(title));
}

void draw_category(const BarChart& chart, std::size_t category, const Axis& y, ChartFrame& frame) {
  const double slot = (frame.right() - frame.left()) / static_cast<double>(chart.categories.size());
  const double middle = frame.left() + (static_cast<double>(category) + 0.5) * slot;
  const double gap = slot > 8 ? 1.5 : 0;
  const auto count = static_cast<double>(chart.bars.size());
  const double width = std::min(kMostBarWidth, slot * (chart.bars.size() > 1 ? 0.76 : 0.86) / count);
  double x = middle - width * count / 2;
  for (const BarChart::Bars& bars : chart.bars) {
    const double value = category < bars.values.size() ? bars.values[category] : std::nan("");
    if (y.shows(value) && (value != 0)) {
      const double place = std::clamp(y.place(value), 0.0, 1.0);
      frame.add(rounded_bar(
          x + gap / 2, std::max(0.5, width - gap), frame.y(place), frame.bottom(), colour_class(bars.colour),
          fmt::format("{}, {}: {}", chart.categories[category], bars.name, short_number(value))));
    }
    x += width;
  }
}

// As many names of categories as fit.
void draw_names(const BarChart& chart, ChartFrame& frame) {
  double widest = 0;
  for (const std::string& name : chart.categories)
    widest = std::max(widest, 7.2 * static_cast<double>(characters_of(name)) + 8);
  const double slot = (frame.right() - frame.left()) / static_cast<double>(chart.categories.size());
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / slot)));
  for (std::size_t c = 0; c < chart.categories.size(); c += every)
    frame.text(frame.left() + (static_cast<double>(c) + 0.5) * slot, frame.bottom() + 17, "middle",
               chart.categories[c], "tick");
}

std::string drawn(const BarChart& chart, bool alone) {
  const Axis y = value_axis(chart);
  std::vector<LegendEntry> legend;
  for (const BarChart::Bars& bars : chart.bars)
    legend.push_back({bars.name, colour_class(bars.colour), LegendEntry::Mark::kBar});
  ChartFrame frame(chart.title, legend, nullptr, y, chart.x_label, chart.y.label);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) draw_category(chart, c, y, frame);
  if (!chart.categories.empty()) draw_names(chart, frame);
  return frame.finish(alone);
}

}  // namespace

std::string svg_of(const BarChart& chart) {
  return drawn(chart, false);
}

std::string svg_file(const BarChart& chart) {
  return drawn(chart, true);
}

}  // namespace greenkgc::report
