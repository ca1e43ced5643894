#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/chart/text.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

using report::BarChart;
using report::HtmlTable;
using report::LineChart;
using report::Page;
using report::Series;
using Kind = HtmlTable::Kind;

constexpr std::size_t kMaxRelations = 200;

std::string short_share(double share) {
  return fmt::format("{:.2f}", share);
}

std::string share_text(double share) {
  return fmt::format("{:.3f}", share);
}

// "0.86 of 317"
std::string right_among(const std::optional<double>& precision, std::uint64_t n) {
  return precision ? fmt::format("{} of {}", short_share(*precision), with_commas(n)) : "none";
}

std::pair<std::string, std::string> sure_tile(const std::optional<double>& precision, std::uint64_t n,
                                              std::string_view bound) {
  return {precision ? share_text(*precision) : "none",
          fmt::format("right of {} with a probability of at least {}", with_commas(n), bound)};
}

LineChart reliability_chart(const CompletionReport& completion) {
  LineChart chart{.title = "Reliability",
                  .x = {.label = "predicted probability", .from = 0, .to = 1},
                  .y = {.label = "observed share of hidden facts", .from = 0, .to = 1},
                  .series = {{"proposals", {}, 0}},
                  .diagonal = true};
  for (const ReliabilityBin& bin : completion.bins) {
    if (bin.candidates > 0) chart.series[0].points.push_back({bin.predicted, bin.observed});
  }
  return chart;
}

BarChart proposals_chart(const CompletionReport& completion) {
  BarChart chart{.title = "Number of proposals by probability",
                 .x_label = "probability, lower bound",
                 .y = {.label = "proposals", .scale = report::Scale::kLog},
                 .categories = {},
                 .bars = {{"not hidden", {}, 7}, {"hidden facts", {}, 0}}};
  for (const ReliabilityBin& bin : completion.bins) {
    chart.categories.push_back(fmt::format("{:g}", bin.from));
    chart.bars[0].values.push_back(static_cast<double>(bin.candidates - std::min(bin.facts, bin.candidates)));
    chart.bars[1].values.push_back(static_cast<double>(bin.facts));
  }
  return chart;
}

HtmlTable relation_table(const CompletionReport& completion) {
  HtmlTable table({{"relation", Kind::kWords},
                   {"hidden"},
                   {"proposals"},
                   {"R-precision"},
                   {"average precision"},
                   {"recall"},
                   {"right among p ≥ 0.5"}});
  const std::size_t shown = std::min(kMaxRelations, completion.relations.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [id, label, f] = completion.relations[i];
    const auto share = [hidden = f.hidden](double value) { return hidden > 0 ? share_text(value) : ""; };
    table.add({label, with_commas(f.hidden), with_commas(f.proposals), share(f.r_precision),
               share(f.average_precision), share(f.recall), right_among(f.precision_50, f.n_50)});
  }
  return table;
}

}  // namespace

void add_completion(Page& page, const RunHistory& run) {
  if (!run.completion) return;
  const CompletionReport& completion = *run.completion;
  const CompletionFigures& all = completion.all;
  page.section("Completion");
  page.words(fmt::format("{} of {} were hidden from the model{}, which proposed {}. {}",
                         count_of(all.hidden, "fact"), completion.split,
                         completion.sampled_heads == 0
                             ? ""
                             : fmt::format(" (those of {} chosen by the seed as heads)",
                                           count_of(completion.sampled_heads, "entity")),
                         count_of(all.proposals, "fact"), completion_caveat()));
  page.tiles(
      {{share_text(all.r_precision),
        fmt::format("R-precision: share of hidden facts among the first {}", with_commas(all.hidden))},
       {share_text(all.average_precision), "average precision"},
       {share_text(all.recall), "recall: share of the hidden facts that are proposed"},
       sure_tile(all.precision_90, all.n_90, "0.9"),
       sure_tile(all.precision_50, all.n_50, "0.5"),
       {share_text(completion.calibration_error),
        fmt::format("calibration error of the first {}",
                    with_commas(std::min(2 * all.hidden, all.proposals)))},
       {share_text(completion.second_values), "second values for relations that nearly always have one"}});
  page.begin_charts();
  page.chart(reliability_chart(completion), completion.split + ", all that was proposed");
  page.chart(proposals_chart(completion), completion.split);
  page.end_charts();
  page.note(
      fmt::format("The calibration error over all proposals is {}. Each point stands for a tenth of the "
                  "probabilities; points of few proposals scatter.",
                  share_text(completion.calibration_error_all)));
  page.folded_table("By relation, most hidden facts first", relation_table(completion));
}

void add_new_facts(Page& page, const ModelSummary& model) {
  const ModelExamples& examples = model.examples;
  if (examples.new_facts.empty()) return;
  page.section("Confident new facts");
  page.words(fmt::format(
      "The most probable facts that the finished model proposes{}; at most three per relation. `greenkgc "
      "complete` lists all of them, `greenkgc explain` has more evidence.",
      examples.sampled_heads == 0
          ? ""
          : fmt::format(" for {} chosen by the seed as heads", count_of(examples.sampled_heads, "entity"))));
  const bool reasons = std::any_of(examples.new_facts.begin(), examples.new_facts.end(),
                                   [](const NewFact& fact) { return !fact.reason.empty(); });
  std::vector<HtmlTable::Column> columns = {
      {"probability"}, {"head", Kind::kWords}, {"relation", Kind::kWords}, {"tail", Kind::kWords}};
  if (reasons) columns.push_back({"reason", Kind::kLong});
  HtmlTable table(std::move(columns));
  table.stack_if_narrow();
  for (const NewFact& fact : examples.new_facts)
    table.add({share_text(fact.probability), fact.head, fact.relation, fact.tail, fact.reason});
  page.table(table);
}

}  // namespace greenkgc::report
