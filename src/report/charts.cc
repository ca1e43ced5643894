#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/chart/text.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

using report::LineChart;
using report::Point;
using report::Series;

constexpr std::size_t kMostGroups = 8;  // in one chart; there are no more colors

// Groups by their facts, the largest first, as many as a chart can show; in their own order.
template <class Group>
std::vector<std::size_t> largest_groups(const std::vector<Group>& groups) {
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return groups[a].facts > groups[b].facts; });
  order.resize(std::min(order.size(), kMostGroups));
  std::sort(order.begin(), order.end());
  return order;
}

std::string limited(const std::string& title, std::size_t groups) {
  return groups > kMostGroups ? fmt::format("{} (the {} largest groups)", title, kMostGroups) : title;
}

Series curve_of(const DecideHistory::Group& group, double DecidePoint::*value, std::string name,
                std::size_t colour, Series::Form form) {
  Series series{std::move(name), {}, colour, form};
  for (const DecidePoint& point : group.curve) {
    if (point.*value >= 0) series.points.push_back({point.trees, point.*value});
  }
  return series;
}

}  // namespace

LineChart cost_chart(const PruneHistory& prune) {
  LineChart chart{.title = limited("Cost of each dimension, sorted", prune.groups.size()),
                  .x = {.label = "dimensions, most discriminant first", .from = 1},
                  .y = {.label = "weighted entropy (bits)"},
                  .series = {}};
  for (const std::size_t g : largest_groups(prune.groups)) {
    std::vector<double> costs = prune.groups[g].costs;
    std::sort(costs.begin(), costs.end());
    Series series{fmt::format("group {}", g), {}, g};
    for (std::size_t i = 0; i < costs.size(); ++i)
      series.points.push_back({static_cast<double>(i + 1), costs[i]});
    chart.series.push_back(std::move(series));
  }
  const bool cut = !prune.groups.empty() && prune.keep_dims < prune.groups[0].costs.size();
  if (cut)
    chart.markers.push_back(
        {static_cast<double>(prune.keep_dims), fmt::format("cut: {} kept", prune.keep_dims)});
  return chart;
}

report::BarChart histogram_chart(const CostHistogram& histogram, const std::string& title) {
  report::BarChart chart{.title = title,
                         .x_label = "projected variable of the dimension",
                         .y = {.label = "samples"},
                         .categories = {},
                         .bars = {{"facts", {}, 0}, {"negatives", {}, 1}}};
  const std::size_t bins = std::min(histogram.observed.size(), histogram.corrupted.size());
  for (std::size_t b = 0; b < bins; ++b) {
    const double middle = histogram.low + (histogram.high - histogram.low) * (static_cast<double>(b) + 0.5) /
                                              static_cast<double>(bins);
    chart.categories.push_back(fmt::format("{:.2g}", middle));
    chart.bars[0].values.push_back(static_cast<double>(histogram.observed[b]));
    chart.bars[1].values.push_back(static_cast<double>(histogram.corrupted[b]));
  }
  return chart;
}

LineChart mean_cost_chart(const std::vector<double>& mean_costs) {
  LineChart chart{.title = "Mean cost of the dimensions by number of groups",
                  .x = {.label = "relation groups"},
                  .y = {.label = "mean weighted entropy (bits)"},
                  .series = {{"mean cost", {}, 0}}};
  for (std::size_t k = 0; k < mean_costs.size(); ++k)
    chart.series[0].points.push_back({static_cast<double>(k + 1), mean_costs[k]});
  return chart;
}

LineChart score_chart(const ScoredQuestion& question) {
  LineChart chart{.title = "Probabilities of all answers to one query, sorted",
                  .x = {.label = "candidates, best first", .scale = report::Scale::kLog, .from = 1},
                  .y = {.label = "probability", .from = 0, .to = 1},
                  .series = {{"candidates", {}, 0}, {"known facts", {}, 1, Series::Form::kDots}}};
  for (std::size_t i = 0; i < question.probabilities.size(); ++i) {
    const Point point{static_cast<double>(i + 1), question.probabilities[i]};
    chart.series[0].points.push_back(point);
    if (question.known[i]) chart.series[1].points.push_back(point);
  }
  return chart;
}

LineChart decide_chart(const DecideHistory& decide, DecideCurve curve) {
  struct Plan {
    const char* title;
    const char* label;
    double DecidePoint::*training;
    double DecidePoint::*held_out;
  };
  const Plan plan =
      curve == DecideCurve::kLoss
          ? Plan{"Log-loss by trees", "log-loss (nats)", &DecidePoint::loss, &DecidePoint::held_out_loss}
      : curve == DecideCurve::kAucPr
          ? Plan{"AUC-PR by trees", "AUC-PR", &DecidePoint::auc_pr, &DecidePoint::held_out_auc_pr}
          : Plan{"Valid MRR by trees", "MRR", &DecidePoint::valid_mrr, nullptr};
  LineChart chart{.title = limited(plan.title, decide.groups.size()),
                  .x = {.label = "trees per group"},
                  .y = {.label = plan.label},
                  .series = {}};
  for (const std::size_t g : largest_groups(decide.groups)) {
    const DecideHistory::Group& group = decide.groups[g];
    const std::string name = fmt::format("group {}", g);
    Series training = curve_of(group, plan.training, name, g, Series::Form::kLine);
    if (!training.points.empty()) chart.series.push_back(std::move(training));
    if (plan.held_out == nullptr) continue;
    Series held_out = curve_of(group, plan.held_out, name + ", held-out", g, Series::Form::kDashed);
    if (!held_out.points.empty()) chart.series.push_back(std::move(held_out));
  }
  return chart;
}

}  // namespace greenkgc::report
