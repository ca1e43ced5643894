#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/chart/text.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

using report::LineChart;
using report::Page;
using report::Series;

LineChart embed_chart(const std::vector<EmbedPoint>& points, double EmbedPoint::*value, const char* title,
                      const char* label) {
  LineChart chart{.title = title, .x = {.label = "epoch"}, .y = {.label = label}, .series = {{label, {}, 0}}};
  for (const EmbedPoint& point : points) {
    if (point.*value >= 0) chart.series[0].points.push_back({point.epoch, point.*value});
  }
  return chart;
}

bool has_curves(const DecideHistory& decide) {
  return std::any_of(decide.groups.begin(), decide.groups.end(),
                     [](const auto& group) { return !group.curve.empty(); });
}

void add_chart_if_drawn(Page& page, const LineChart& chart, std::string_view protocol) {
  const bool drawn = std::any_of(chart.series.begin(), chart.series.end(),
                                 [](const Series& series) { return !series.points.empty(); });
  if (drawn) page.chart(chart, protocol);
}

const PruneHistory::Group& largest(const std::vector<PruneHistory::Group>& groups, std::size_t& place) {
  const auto found = std::max_element(groups.begin(), groups.end(),
                                      [](const auto& a, const auto& b) { return a.facts < b.facts; });
  place = static_cast<std::size_t>(found - groups.begin());
  return *found;
}

}  // namespace

void add_learning_curves(Page& page, const StageLog& log) {
  if (log.embed.empty() && !has_curves(log.decide)) return;
  page.section("Learning curves");
  if (!log.embed.empty()) {
    page.subsection("Embedding");
    page.begin_charts();
    add_chart_if_drawn(page, embed_chart(log.embed, &EmbedPoint::loss, "Training loss", "loss"),
                       "mean over the queries of an epoch");
    add_chart_if_drawn(page, embed_chart(log.embed, &EmbedPoint::valid_mrr, "Valid MRR", "MRR"),
                       kValidCurveProtocol);
    page.end_charts();
  }
  if (!has_curves(log.decide)) return;
  page.subsection("Decisions");
  page.begin_charts();
  add_chart_if_drawn(page, decide_chart(log.decide, DecideCurve::kLoss),
                     "training samples; held-out samples dashed");
  add_chart_if_drawn(page, decide_chart(log.decide, DecideCurve::kAucPr),
                     "training samples; held-out samples dashed");
  add_chart_if_drawn(page, decide_chart(log.decide, DecideCurve::kValidMrr), kValidCurveProtocol);
  page.end_charts();
}

void add_pruning(Page& page, const PruneHistory& prune) {
  if (prune.groups.empty()) return;
  page.section("Kept dimensions");
  const std::size_t dims = prune.groups[0].costs.size();
  page.words(
      prune.keep_dims >= dims
          ? fmt::format("Nothing was pruned: all {} are kept (selector {}). The discriminant feature test "
                        "shows how well each dimension alone separates facts from negatives.",
                        count_of(dims, "dimension"), prune.selector)
          : fmt::format(
                "Each group keeps {} of {}, chosen by the selector {}; {} are kept by at least one group.",
                prune.keep_dims, count_of(dims, "dimension"), prune.selector, prune.union_dims));
  std::size_t place = 0;
  const PruneHistory::Group& group = largest(prune.groups, place);
  const auto title = [&](const char* which, const CostHistogram& h) {
    return fmt::format("{} dimension of group {}: {}, {:.4f} bits", which, place, h.dim, h.cost);
  };
  page.begin_charts();
  page.chart(cost_chart(prune), "discriminant feature test, training facts");
  if (!prune.mean_costs.empty()) page.chart(mean_cost_chart(prune.mean_costs), "all dimensions");
  page.chart(histogram_chart(group.best, title("Best", group.best)), "training facts and negatives");
  page.chart(histogram_chart(group.worst, title("Worst", group.worst)), "training facts and negatives");
  page.end_charts();
}

void add_groups(Page& page, const RunHistory& run, const ModelSummary& model) {
  const auto& pruned = run.log.prune.groups;
  if (pruned.empty()) return;
  page.section("Relation groups");
  using Kind = report::HtmlTable::Kind;
  report::HtmlTable table({{"group", Kind::kText},
                           {"facts"},
                           {"dimensions"},
                           {"trees"},
                           {"valid MRR"},
                           {"time"},
                           {"relations", Kind::kLong}});
  const auto& decided = run.log.decide.groups;
  for (std::size_t g = 0; g < pruned.size(); ++g) {
    const bool has_trees = g < decided.size();
    std::string relations = count_of(pruned[g].relations, "relation");
    if (g < model.groups.size()) {
      constexpr std::size_t kMost = 30;
      const auto& labels = model.groups[g];
      relations += ": ";
      for (std::size_t r = 0; r < std::min(kMost, labels.size()); ++r)
        relations += (r > 0 ? ", " : "") + labels[r];
      if (labels.size() > kMost) relations += fmt::format(", and {} more", labels.size() - kMost);
    }
    table.add({std::to_string(g), with_commas(pruned[g].facts), std::to_string(pruned[g].kept),
               has_trees ? std::to_string(decided[g].trees) : "",
               has_trees && decided[g].valid_mrr >= 0 ? fmt::format("{:.4f}", decided[g].valid_mrr) : "",
               has_trees ? report::seconds_text(decided[g].seconds) : "", relations});
  }
  page.table(table);
  page.note(
      fmt::format("Valid MRR: {}. The column facts counts the facts that the dimensions were tested on.",
                  kValidCurveProtocol));
}

}  // namespace greenkgc::report
