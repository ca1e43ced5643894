#include "report/comparison_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

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

class Comparison {
 public:
  Comparison(const std::vector<RunHistory>& runs, const std::vector<std::string>& names)
      : runs_(runs), names_(names) {}

  std::string html() {
    page_.table(figures());
    warn_of_other_data();
    page_.begin_charts();
    for (const char* protocol : {"filtered", "paper"}) add_metric_bars(protocol);
    add_bars("Model size", "MB", [](const RunHistory& run) { return model_bytes(run) / 1e6; });
    add_bars("Time of all steps", "seconds", [](const RunHistory& run) { return run.seconds(); });
    page_.end_charts();
    page_.section("Learning curves");
    page_.begin_charts();
    add_curves("Embedding: training loss", "epoch", "loss",
               "mean over the queries of an epoch; different kinds of loss are not comparable",
               [](const RunHistory& run) { return embed_curve(run, &EmbedPoint::loss); });
    add_curves("Embedding: valid MRR", "epoch", "MRR", kValidCurveProtocol,
               [](const RunHistory& run) { return embed_curve(run, &EmbedPoint::valid_mrr); });
    add_curves("Trees: valid MRR", "trees per group", "MRR",
               "mean over groups, weighted by their facts; " + std::string(kValidCurveProtocol),
               [](const RunHistory& run) { return decide_curve(run); });
    page_.end_charts();
    add_stages();
    add_options();
    return page_.html(protocol_sentences());
  }

 private:
  static double model_bytes(const RunHistory& run) {
    const RunStage* stage = run.model_stage();
    return stage == nullptr ? 0 : static_cast<double>(stage->bytes);
  }

  HtmlTable figures() const {
    HtmlTable table({{"run", Kind::kWords},
                     {"preset", Kind::kText},
                     {"protocol", Kind::kText},
                     {"MRR"},
                     {"H@1"},
                     {"H@3"},
                     {"H@10"},
                     {"ms/query"},
                     {"parameters"},
                     {"model"},
                     {"time"}});
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const RunHistory& run = runs_[i];
      bool any = false;
      for (const MeasuredOutput& output : run.metrics) {
        const Evaluation& e = output.measured.evaluation;
        if (output.of != "model.gkgc" || e.split != "test") continue;
        any = true;
        const RankMetrics& m = e.sides.both.realistic;
        table.add({names_[i], run.preset, "test, " + protocol_name(e.protocol), fmt::format("{:.4f}", m.mrr),
                   fmt::format("{:.3f}", m.hits_at_1), fmt::format("{:.3f}", m.hits_at_3),
                   fmt::format("{:.3f}", m.hits_at_10), fmt::format("{:.2f}", e.ms_per_query()),
                   e.model ? with_commas(e.model->parameters()) : "", report::bytes_text(model_bytes(run)),
                   report::seconds_text(run.seconds())});
      }
      if (!any)
        table.add({names_[i], run.preset, run.finished() ? "no test facts" : "not finished", "", "", "", "",
                   "", "", report::bytes_text(model_bytes(run)), report::seconds_text(run.seconds())});
    }
    return table;
  }

  void warn_of_other_data() {
    for (std::size_t i = 0; i < runs_.size(); ++i)
      page_.note(fmt::format("{}: trained on {}", names_[i], runs_[i].data));
    std::set<std::string> hashes;
    for (const RunHistory& run : runs_) hashes.insert(run.data_hash);
    if (hashes.size() > 1)
      page_.words("These runs were trained on different data, so their figures are not comparable.");
  }

  void add_metric_bars(const char* protocol) {
    BarChart chart;
    chart.title = "MRR and Hits@k";
    chart.x_label = "run";
    chart.y.label = "MRR, H@1, H@10";
    chart.bars = {{"MRR", {}, 0}, {"H@1", {}, 1}, {"H@10", {}, 2}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const MeasuredOutput* output = runs_[i].test_of_model(protocol);
      if (output == nullptr) continue;
      const RankMetrics& m = output->measured.evaluation.sides.both.realistic;
      chart.categories.push_back(names_[i]);
      chart.bars[0].values.push_back(m.mrr);
      chart.bars[1].values.push_back(m.hits_at_1);
      chart.bars[2].values.push_back(m.hits_at_10);
    }
    if (!chart.categories.empty()) page_.chart(chart, "test, " + protocol_name(protocol));
  }

  template <class Value>
  void add_bars(const char* title, const char* unit, const Value& value) {
    BarChart chart;
    chart.title = title;
    chart.x_label = "run";
    chart.y.label = unit;
    chart.categories = names_;
    chart.bars = {{unit, {}, 0}};
    for (const RunHistory& run : runs_) chart.bars[0].values.push_back(value(run));
    page_.chart(chart);
  }

  static std::vector<report::Point> embed_curve(const RunHistory& run, double EmbedPoint::*value) {
    std::vector<report::Point> points;
    for (const EmbedPoint& point : run.log.embed) {
      if (point.*value >= 0) points.push_back({point.epoch, point.*value});
    }
    return points;
  }

  // Where all groups were measured; a group that stopped earlier stays what it was.
  static std::vector<report::Point> decide_curve(const RunHistory& run) {
    std::map<double, std::pair<double, double>> sums;  // trees -> weighed MRR, weights
    for (const auto& group : run.log.decide.groups) {
      for (const DecidePoint& point : group.curve) {
        if (point.valid_mrr >= 0) sums[point.trees];
      }
    }
    for (const auto& group : run.log.decide.groups) {
      const auto weight = static_cast<double>(group.facts);
      for (auto& [trees, sum] : sums) {
        const DecidePoint* last = nullptr;
        for (const DecidePoint& point : group.curve) {
          if (point.valid_mrr >= 0 && point.trees <= trees) last = &point;
        }
        if (last == nullptr) continue;
        sum.first += weight * last->valid_mrr;
        sum.second += weight;
      }
    }
    std::vector<report::Point> points;
    for (const auto& [trees, sum] : sums) {
      if (sum.second > 0) points.push_back({trees, sum.first / sum.second});
    }
    return points;
  }

  template <class Curve>
  void add_curves(const char* title, const char* x, const char* y, std::string_view protocol,
                  const Curve& curve) {
    LineChart chart;
    chart.title = title;
    chart.x.label = x;
    chart.y.label = y;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Series series{names_[i], curve(runs_[i]), i};
      if (!series.points.empty()) chart.series.push_back(std::move(series));
    }
    if (!chart.series.empty()) page_.chart(chart, protocol);
  }

  void add_stages() {
    page_.section("Sizes and times");
    HtmlTable table(
        {{"run", Kind::kWords}, {"step", Kind::kText}, {"file", Kind::kText}, {"size"}, {"time"}});
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      for (const RunStage& stage : runs_[i].stages)
        table.add({names_[i], stage.name, stage.output, report::bytes_text(static_cast<double>(stage.bytes)),
                   stage.finished ? report::seconds_text(stage.seconds) : "not finished"});
    }
    page_.table(table);
  }

  // Those that differ.
  void add_options() {
    std::map<std::string, std::vector<std::string>> values;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      for (const auto& [table, settings] : runs_[i].options) {
        for (const auto& [name, value] : settings) {
          auto& of_runs = values[table.empty() ? name : table + "." + name];
          of_runs.resize(runs_.size());
          of_runs[i] = value;
        }
      }
    }
    page_.section("Options that differ");
    std::vector<HtmlTable::Column> columns = {{"option", Kind::kText}};
    for (const std::string& name : names_) columns.push_back({name, Kind::kWords});
    HtmlTable table(std::move(columns));
    for (const auto& [name, of_runs] : values) {
      if (std::count(of_runs.begin(), of_runs.end(), of_runs[0]) ==
          static_cast<std::ptrdiff_t>(of_runs.size()))
        continue;
      std::vector<std::string> cells = {name};
      cells.insert(cells.end(), of_runs.begin(), of_runs.end());
      table.add(std::move(cells));
    }
    if (table.empty()) {
      page_.words("None.");
    } else {
      page_.table(table);
    }
  }

  const std::vector<RunHistory>& runs_;
  const std::vector<std::string>& names_;
  Page page_{fmt::format("{} compared", count_of(runs_.size(), "run")),
             fmt::format("{}", fmt::join(names_, ", "))};
};

}  // namespace

std::string comparison_page(const std::vector<RunHistory>& runs, const std::vector<std::string>& names) {
  return Comparison(runs, names).html();
}

std::vector<std::string> distinct_names(const std::vector<RunHistory>& runs) {
  std::vector<std::string> names;
  for (const RunHistory& run : runs) {
    const auto same =
        std::count_if(runs.begin(), runs.end(), [&](const auto& other) { return other.name == run.name; });
    names.push_back(same == 1 ? run.name : run.folder.string());
  }
  return names;
}

}  // namespace greenkgc::report
