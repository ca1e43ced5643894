#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "greenkgc/report.h"
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

std::string four(double x) {
  return fmt::format("{:.4f}", x);
}

std::string three(double x) {
  return fmt::format("{:.3f}", x);
}

HtmlTable metrics_table(const RunHistory& run) {
  HtmlTable table({{"", Kind::kText},
                   {"split", Kind::kText},
                   {"protocol", Kind::kText},
                   {"queries"},
                   {"MRR"},
                   {"H@1"},
                   {"H@3"},
                   {"H@10"},
                   {"heads"},
                   {"tails"},
                   {"ms/query"}});
  for (const MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    const RankMetrics& m = e.sides.both.realistic;
    table.add({output_title(output.of, run.two_stages()), e.split, protocol_name(e.protocol),
               with_commas(e.sides.both.queries),
               fmt::format("{:.4f} ± {:.4f}", m.mrr, e.sides.both.mrr_standard_error), three(m.hits_at_1),
               three(m.hits_at_3), three(m.hits_at_10), four(e.sides.head.realistic.mrr),
               four(e.sides.tail.realistic.mrr), fmt::format("{:.2f}", e.ms_per_query())});
  }
  return table;
}

BarChart category_chart(const Evaluation& evaluation) {
  BarChart chart{.title = "MRR by side and relation category",
                 .x_label = "category (tails per head, heads per tail in train)",
                 .y = {.label = "MRR"},
                 .categories = {"all"},
                 .bars = {{"head queries", {evaluation.sides.head.realistic.mrr}, 0},
                          {"tail queries", {evaluation.sides.tail.realistic.mrr}, 1}}};
  for (std::size_t c = 0; c < evaluation.categories.size(); ++c) {
    const SideMetrics& sides = evaluation.categories[c];
    if (sides.head.queries == 0) continue;
    chart.categories.emplace_back(category_name(static_cast<RelationCategory>(c)));
    chart.bars[0].values.push_back(sides.head.realistic.mrr);
    chart.bars[1].values.push_back(sides.tail.realistic.mrr);
  }
  return chart;
}

// A title that is short enough for four of them to fit below the bars.
std::string bar_name(const std::string& title) {
  if (title == "pruned embeddings") return "pruned";
  const auto comma = title.find(", ");
  return comma == std::string::npos ? title : title.substr(comma + 2);  // "model, first stage"
}

BarChart stage_chart(const RunHistory& run, const std::string& protocol) {
  BarChart chart{.title = "After each step",
                 .x_label = "",
                 .y = {.label = "MRR"},
                 .categories = {},
                 .bars = {{"MRR", {}, 0}, {"H@1", {}, 1}, {"H@10", {}, 2}}};
  for (const MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    if (e.split != "test" || e.protocol != protocol) continue;
    chart.categories.push_back(bar_name(output_title(output.of, run.two_stages())));
    chart.bars[0].values.push_back(e.sides.both.realistic.mrr);
    chart.bars[1].values.push_back(e.sides.both.realistic.hits_at_1);
    chart.bars[2].values.push_back(e.sides.both.realistic.hits_at_10);
  }
  chart.y.label = "MRR, H@1, H@10";
  return chart;
}

HtmlTable relation_table(const rank::ReadEvaluation& read) {
  HtmlTable table({{"relation", Kind::kWords}, {"queries"}, {"MRR"}, {"H@10"}, {"MRR heads"}, {"MRR tails"}});
  std::vector<const rank::NamedRelationMetrics*> order;
  for (const rank::NamedRelationMetrics& relation : read.relations) order.push_back(&relation);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->sides.both.queries > b->sides.both.queries;
  });
  constexpr std::size_t kMost = 200;
  order.resize(std::min(order.size(), kMost));
  for (const rank::NamedRelationMetrics* relation : order)
    table.add({relation->relation, with_commas(relation->sides.both.queries),
               four(relation->sides.both.realistic.mrr), three(relation->sides.both.realistic.hits_at_10),
               four(relation->sides.head.realistic.mrr), four(relation->sides.tail.realistic.mrr)});
  return table;
}

Series reliability_series(const Reliability& reliability, const char* name, std::size_t colour) {
  Series series{name, {}, colour};
  for (const ReliabilityBin& bin : reliability.bins) {
    if (bin.candidates > 0) series.points.push_back({bin.predicted, bin.observed});
  }
  return series;
}

BarChart probability_chart(const Reliability& reliability) {
  BarChart chart{.title = "Probabilities of all candidates",
                 .x_label = "probability, lower bound",
                 .y = {.label = "candidates", .scale = report::Scale::kLog},
                 .categories = {},
                 .bars = {{"not a known fact", {}, 7}, {"facts to find", {}, 0}}};
  for (const ReliabilityBin& bin : reliability.bins) {
    chart.categories.push_back(fmt::format("{:g}", bin.from));
    chart.bars[0].values.push_back(static_cast<double>(bin.candidates - std::min(bin.facts, bin.candidates)));
    chart.bars[1].values.push_back(static_cast<double>(bin.facts));
  }
  return chart;
}

}  // namespace

std::string protocol_name(const std::string& protocol) {
  return protocol == "paper" ? "paper (answer exempt)" : protocol;
}

std::string protocol_sentences() {
  return "Protocols. filtered: all entities are candidates, except other answers known from train, valid and "
         "test; a tie counts as the mean of its best and worst rank. raw: all entities are candidates. "
         "range: candidates outside the relation's training range come last, the answer included. paper "
         "(answer exempt): candidates outside the relation's training range are removed, except the "
         "answer; these figures are not comparable with those of other papers.";
}

void add_metrics(Page& page, const RunHistory& run) {
  page.section("Accuracy");
  if (run.metrics.empty()) {
    page.words(
        "Nothing was evaluated: the run is not finished, or the data have no validation or test facts.");
    return;
  }
  page.begin_charts();
  for (const MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    if (output.of != "model.gkgc" || e.split != "test") continue;
    page.chart(stage_chart(run, e.protocol), "test, " + protocol_name(e.protocol));
    page.chart(category_chart(e),
               output_title(output.of, run.two_stages()) + ", test, " + protocol_name(e.protocol));
  }
  page.end_charts();
  page.table(metrics_table(run));
  page.note(
      "± is one standard error over queries; heads and tails: the MRR of head and tail queries. A tie counts "
      "as the mean of its best and worst rank.");
  for (const MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    if (output.of != "model.gkgc" || output.measured.relations.empty()) continue;
    page.folded_table(fmt::format("By relation: {}, {}", e.split, protocol_name(e.protocol)),
                      relation_table(output.measured));
  }
}

void add_probabilities(Page& page, const RunHistory& run, const ModelSummary& model) {
  const CalibrationReport* report = nullptr;
  std::string split;
  for (const MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    // Over queries that all have an answer; what is said of proposals is what counts, where it was measured.
    if (!run.completion && e.calibration && (report == nullptr || e.split == "test")) {
      report = &*e.calibration;
      split = e.split;
    }
  }
  const bool has_question = !model.examples.question.probabilities.empty();
  if (report == nullptr && !has_question) return;
  page.section(report != nullptr ? "Calibration of the probabilities" : "Probabilities of one query");
  if (report != nullptr)
    page.words(
        fmt::format("Measured on {} of {}. Candidates that are in no split count as false, so true facts "
                    "that are missing from the data look like errors. Expected calibration error: {:.4f} for "
                    "the ten best answers, {:.6f} for all candidates.",
                    count_of(report->questions, "query"), split, report->top.expected_calibration_error,
                    report->all.expected_calibration_error));
  page.begin_charts();
  if (report != nullptr) {
    page.chart(LineChart{.title = "Reliability",
                         .x = {.label = "predicted probability", .from = 0, .to = 1},
                         .y = {.label = "observed share of facts", .from = 0, .to = 1},
                         .series = {reliability_series(report->top, "ten best answers", 0),
                                    reliability_series(report->all, "all candidates", 1)},
                         .diagonal = true},
               split + ", other known answers left out");
    page.chart(probability_chart(report->all), split + ", other known answers left out");
  }
  if (has_question) page.chart(score_chart(model.examples.question), "calibrated on valid");
  page.end_charts();
  if (has_question)
    page.note(fmt::format("The query: {}, {}, ? Known facts are those that the model contains.",
                          model.examples.question.head, model.examples.question.relation));
}

}  // namespace greenkgc::report
