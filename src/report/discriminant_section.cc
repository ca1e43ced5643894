#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

using report::HtmlTable;
using report::LineChart;
using report::Page;
using report::Series;
using Kind = HtmlTable::Kind;
using Feature = DiscriminantHistory::Feature;
using Rows = DiscriminantHistory::Rows;

constexpr std::size_t kMostRelations = 30;

std::string kind_name(const std::string& kind) {
  if (kind == "first_stage") return "first stage";
  return kind == "embedding" ? "one dimension" : kind;
}

// The features of all kinds in one order, each at its place.
LineChart ranking_chart(const DiscriminantHistory& discriminant) {
  LineChart chart{.title = "Cost of each feature, sorted",
                  .x = {.label = "features, most discriminant first", .from = 1},
                  .y = {.label = "weighted entropy (bits)"},
                  .series = {{"graph", {}, 0, Series::Form::kDots},
                             {"first stage", {}, 2, Series::Form::kTriangles},
                             {"one dimension", {}, 1, Series::Form::kSquares}}};
  std::vector<std::pair<double, std::size_t>> ranking;  // cost and series
  const auto& costs = discriminant.costs;
  for (const double cost : costs.graph) ranking.emplace_back(cost, 0);
  for (const double cost : costs.first_stage) ranking.emplace_back(cost, 1);
  for (const double cost : costs.embedding) ranking.emplace_back(cost, 2);
  std::sort(ranking.begin(), ranking.end());
  for (std::size_t i = 0; i < ranking.size(); ++i)
    chart.series[ranking[i].second].points.push_back({static_cast<double>(i + 1), ranking[i].first});
  std::erase_if(chart.series, [](const Series& series) { return series.points.empty(); });
  return chart;
}

std::string cost_text(double cost) {
  return fmt::format("{:.3f}", cost);
}

HtmlTable best_table(const DiscriminantHistory& discriminant) {
  HtmlTable table({{"feature", Kind::kText}, {"of", Kind::kText}, {"cost (bits)"}});
  for (const auto& [kind, feature] : discriminant.best)
    table.add({feature.name, kind_name(kind), cost_text(feature.cost)});
  return table;
}

std::uint64_t row_count(const Rows& rows) {
  return rows.answers + rows.false_candidates;
}

std::string name_of(const std::vector<Feature>& best) {
  return best.empty() ? "" : best.front().name;
}

std::string cost_of(const std::vector<Feature>& best) {
  return best.empty() ? "" : cost_text(best.front().cost);
}

// The kind of least cost; of equal ones, all.
std::string most_discriminant(const DiscriminantHistory::Relation& relation) {
  const std::array<std::pair<const char*, const std::vector<Feature>*>, 3> kinds = {
      {{"graph", &relation.best.graph},
       {"first stage", &relation.best.first_stage},
       {"one dimension", &relation.best.embedding}}};
  double least = std::numeric_limits<double>::infinity();
  std::string names;
  for (const auto& [name, best] : kinds) {
    if (best->empty() || best->front().cost > least) continue;
    names = best->front().cost < least ? name : names + ", " + name;
    least = best->front().cost;
  }
  return names;
}

// By their rows, the most first.
std::vector<const DiscriminantHistory::Relation*> largest_relations(
    const std::vector<DiscriminantHistory::Relation>& relations) {
  std::vector<const DiscriminantHistory::Relation*> order;
  for (const DiscriminantHistory::Relation& relation : relations) order.push_back(&relation);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return row_count(a->rows) > row_count(b->rows); });
  order.resize(std::min(order.size(), kMostRelations));
  return order;
}

HtmlTable relation_table(const std::vector<const DiscriminantHistory::Relation*>& relations) {
  HtmlTable table({{"relation", Kind::kWords},
                   {"rows"},
                   {"best graph feature", Kind::kText},
                   {"cost"},
                   {"first stage: cost"},
                   {"best dimension", Kind::kText},
                   {"cost"},
                   {"most informative", Kind::kText}});
  for (const DiscriminantHistory::Relation* relation : relations) {
    const auto& best = relation->best;
    table.add({relation->name, with_commas(row_count(relation->rows)), name_of(best.graph),
               cost_of(best.graph), cost_of(best.first_stage), name_of(best.embedding),
               cost_of(best.embedding), most_discriminant(*relation)});
  }
  return table;
}

std::string left_out_text(std::size_t shown, std::uint64_t relations) {
  if (shown >= relations) return "All relations are shown.";
  return fmt::format("The {} of {} with the most rows are shown; {} left out.", shown,
                     count_of(relations, "relation"), relations - shown);
}

}  // namespace

void add_discriminant(Page& page, const DiscriminantHistory& discriminant) {
  if (discriminant.best.empty()) return;
  page.section("Contributions of graph and embedding");
  page.words(
      "This test shows how well each feature alone separates true answers from negatives. A lower cost is "
      "better: at 0 bits a feature is never wrong, at 1 bit it is no better than chance.");
  const Rows& rows = discriminant.rows;
  page.note(fmt::format(
      "Tested on {} answers and {} negatives of {} whose answers the embedding has not seen. Graph: features "
      "counted from the known facts. First stage: the score that combines all dimensions, its rank and its "
      "share in the list. One dimension: of the embedding that scored these queries.",
      with_commas(rows.answers), with_commas(rows.false_candidates), count_of(rows.questions, "query")));
  page.begin_charts();
  page.chart(ranking_chart(discriminant), "candidates of the second stage");
  page.table(best_table(discriminant));
  page.end_charts();
  if (discriminant.relations.empty()) return;
  page.subsection("Each relation, by side of the query");
  const auto shown = largest_relations(discriminant.relations);
  page.table(relation_table(shown));
  page.note(left_out_text(shown.size(), discriminant.relation_count) +
            " A relation needs 20 answers and 20 negatives. With few rows, the best of many dimensions costs "
            "less than 1 bit by chance alone (of 250: 0.83 with 20 answers, 0.93 with 50).");
}

}  // namespace greenkgc::report
