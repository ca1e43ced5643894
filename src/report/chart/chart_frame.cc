#include "report/chart/chart_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/chart/text.h"

namespace greenkgc::report {
namespace {

constexpr double kFont = 12;
constexpr double kLegendRow = 18;
constexpr double kSwatch = 18;

// Nothing here can measure text; digits and small letters are about this wide in the fonts of the page.
double width_of(std::string_view text) {
  return 0.57 * kFont * static_cast<double>(characters_of(text));
}

// A title that is too long for one line is broken at the space nearest to its middle.
std::vector<std::string> title_lines(const std::string& title) {
  constexpr double kTitleFont = 15;  // bold
  if (0.57 * kTitleFont * static_cast<double>(characters_of(title)) < kWidth) return {title};
  std::size_t best = std::string::npos;
  const auto off_middle = [&](std::size_t at) {
    return at > title.size() / 2 ? at - title.size() / 2 : title.size() / 2 - at;
  };
  for (std::size_t at = title.find(' '); at != std::string::npos; at = title.find(' ', at + 1)) {
    if (best == std::string::npos || off_middle(at) < off_middle(best)) best = at;
  }
  if (best == std::string::npos) return {title};
  return {title.substr(0, best), title.substr(best + 1)};
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, width_of(tick.text));
  return width;
}

std::string mark_of(const LegendEntry& entry, double x, double y) {
  switch (entry.mark) {
    case LegendEntry::Mark::kBar:
      return fmt::format(R"(<rect class="bar {}" x="{:.1f}" y="{:.1f}" width="12" height="10"/>)",
                         entry.css_class, x, y - 5);
    case LegendEntry::Mark::kLine:
      return fmt::format(R"(<path class="line {}" d="M{:.1f} {:.1f}h14"/>)", entry.css_class, x, y);
    default:
      return point_mark(entry, x + 7, y, 3.5, "");
  }
}

}  // namespace

std::string colour_class(std::size_t colour) {
  return fmt::format("c{}", colour % kColours);
}

std::string point_mark(const LegendEntry& look, double x, double y, double radius, std::string_view title) {
  std::string shape;
  if (look.mark == LegendEntry::Mark::kSquare)
    shape = fmt::format(R"(<path class="dot {}" d="M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z")", look.css_class,
                        x - radius, y - radius, 2 * radius, 2 * radius, -2 * radius);
  else if (look.mark == LegendEntry::Mark::kTriangle)
    shape = fmt::format(R"(<path class="dot {}" d="M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z")", look.css_class, x,
                        y - 1.3 * radius, 1.3 * radius, 2.2 * radius, -2.6 * radius);
  else
    shape =
        fmt::format(R"(<circle class="dot {}" cx="{:.1f}" cy="{:.1f}" r="{}")", look.css_class, x, y, radius);
  if (title.empty()) return shape + "/>";
  return fmt::format("{}><title>{}</title></{}>", shape, escaped(title),
                     shape.starts_with("<path") ? "path" : "circle");
}

ChartFrame::ChartFrame(std::string_view title, const std::vector<LegendEntry>& legend, const Axis* x,
                       const Axis& y, std::string_view x_label, std::string_view y_label)
    : title_(title), left_(30 + widest(y.ticks())) {
  if (legend.size() > 1) draw_legend(legend);
  draw_grid(x, y);
  text((left() + right()) / 2, kHeight - 8, "middle", x_label, "label");
  out_ += fmt::format(
      R"svg(<text class="label" text-anchor="middle" transform="translate(13 {:.1f}) rotate(-90)">{}</text>)svg",
      (top() + bottom()) / 2, escaped(y_label));
}

void ChartFrame::text(double x, double y, std::string_view anchor, std::string_view words,
                      std::string_view css_class) {
  out_ += fmt::format(R"(<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", css_class, x, y,
                      anchor, escaped(words));
}

// From left to right, in as many rows as that takes.
void ChartFrame::draw_legend(const std::vector<LegendEntry>& legend) {
  double x = left_;
  double y = 12;
  for (const LegendEntry& entry : legend) {
    const double width = kSwatch + width_of(entry.name) + 14;
    if (x > left_ && x + width > right()) {
      x = left_;
      y += kLegendRow;
    }
    out_ += mark_of(entry, x, y);
    text(x + kSwatch, y + 4, "start", entry.name, "key");
    x += width;
  }
  top_ = y + kLegendRow;
}

void ChartFrame::draw_grid(const Axis* x_axis, const Axis& y_axis) {
  for (const Tick& tick : y_axis.ticks()) {
    const double at = y(y_axis.place(tick.value));
    out_ += fmt::format(R"(<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/>)", left(), at, right());
    text(left() - 6, at + 4, "end", tick.text, "tick");
  }
  out_ += fmt::format(R"(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}"/>)", left(), bottom(), right());
  if (x_axis == nullptr) return;
  for (const Tick& tick : x_axis->ticks()) {
    const double at = x(x_axis->place(tick.value));
    out_ += fmt::format(R"(<path class="axis" d="M{:.1f} {:.1f}v4"/>)", at, bottom());
    text(at, bottom() + 17, "middle", tick.text, "tick");
  }
}

std::string ChartFrame::finish(bool alone) const {
  const std::vector<std::string> lines = title_lines(title_);
  const double head = alone ? 8 + 18 * static_cast<double>(lines.size()) : 0;
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 {:.0f} {:.0f} {:.0f}" role="img" aria-label="{}">)",
      -head, kWidth, kHeight + head, escaped(title_));
  if (alone) {
    svg += fmt::format("<style>{}</style>", chart_style());
    svg += fmt::format(R"(<rect class="back" x="0" y="{:.0f}" width="{:.0f}" height="{:.0f}"/>)", -head,
                       kWidth, kHeight + head);
    double y = 18 - head;
    for (const std::string& line : lines) {
      svg += fmt::format(R"(<text class="title" x="{:.0f}" y="{:.0f}" text-anchor="middle">{}</text>)",
                         kWidth / 2, y, escaped(line));
      y += 18;
    }
  }
  return svg + out_ + "</svg>\n";
}

}  // namespace greenkgc::report
