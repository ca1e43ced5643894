#include "greenkgc/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"

namespace greenkgc::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out;

  static void declare(OptionList<ReportArguments>& o) {
    o.add("out", &ReportArguments::out,
          "HTML page to write; default: report.html in the run's folder for one run, no page for several");
  }
};

std::string text_of(const std::vector<RunFigures>& runs) {
  Table table({{"run", Column::Kind::kLabel},
               {"split", Column::Kind::kText},
               {"protocol", Column::Kind::kText},
               {"MRR"},
               {"H@1"},
               {"H@3", Column::Kind::kOptional},
               {"H@10"},
               {"ms/query", Column::Kind::kOptional},
               {"parameters", Column::Kind::kOptional},
               {"model"},
               {"time"}});
  for (const RunFigures& run : runs) {
    const std::string size = short_amount(static_cast<double>(run.model_bytes), "bytes");
    if (run.metrics.empty())
      table.add({run.name, run.finished ? "no metrics" : "not finished", "", "", "", "", "", "", "", size,
                 short_seconds(run.seconds)});
    for (const TrainMetrics& m : run.metrics)
      table.add({run.name, m.split, short_protocol(m.protocol), fmt::format("{:.4f}", m.metrics.mrr),
                 fmt::format("{:.3f}", m.metrics.hits_at_1), fmt::format("{:.3f}", m.metrics.hits_at_3),
                 fmt::format("{:.3f}", m.metrics.hits_at_10), fmt::format("{:.2f}", run.ms_per_query),
                 commas(run.parameters), size, short_seconds(run.seconds)});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

Json json_of(const RunFigures& run) {
  Json stages = Json::array();
  for (const RunStageFigures& stage : run.stages)
    stages.push_back({{"name", stage.name},
                      {"output", stage.output},
                      {"bytes", stage.bytes},
                      {"seconds", stage.seconds},
                      {"finished", stage.finished}});
  Json metrics = Json::array();
  for (const TrainMetrics& m : run.metrics)
    metrics.push_back({{"of", m.of},
                       {"split", m.split},
                       {"protocol", m.protocol},
                       {"queries", m.queries},
                       {"mrr", m.metrics.mrr},
                       {"mr", m.metrics.mr},
                       {"hits_at_1", m.metrics.hits_at_1},
                       {"hits_at_3", m.metrics.hits_at_3},
                       {"hits_at_10", m.metrics.hits_at_10}});
  return {{"name", run.name},
          {"data", run.data},
          {"preset", run.preset},
          {"finished", run.finished},
          {"stages", stages},
          {"metrics", metrics},
          {"model_bytes", run.model_bytes},
          {"parameters", run.parameters},
          {"ms_per_query", run.ms_per_query},
          {"seconds", run.seconds}};
}

Result run(const ReportArguments& arguments, const Context& context) {
  const std::vector<std::filesystem::path> folders(arguments.runs.begin(), arguments.runs.end());
  std::vector<RunFigures> runs;
  for (const auto& folder : folders) runs.push_back(run_figures(folder));
  std::filesystem::path out = arguments.out;
  if (folders.size() == 1) {
    if (out.empty()) out = folders[0] / "report.html";
    write_run_report(folders[0], out, context);
  } else if (!out.empty()) {
    write_run_comparison(folders, out, context);
  }
  Result result{text_of(runs), {{"runs", Json::array()}}};
  for (const RunFigures& figures : runs) result.json["runs"].push_back(json_of(figures));
  if (!out.empty()) {
    result.text += fmt::format("\n{}\n", printable(out.string()));
    result.json["written"] = out.string();
  }
  return result;
}

}  // namespace

Command report_command() {
  auto arguments = std::make_shared<ReportArguments>();
  return {
      .name = "report",
      .summary = "re-create a run's report, or compare runs",
      .example = "greenkgc report run-a run-b --out comparison.html",
      .positionals =
          {{.name = "RUN...",
            .help = "run folders from `greenkgc train`: one to re-create its report, several to compare them",
            .value = nullptr,
            .rest = &arguments->runs}},
      .options = {group_of(*arguments)},
      .required = {},
      .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
