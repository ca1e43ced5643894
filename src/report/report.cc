#include "greenkgc/report.h"

#include "greenkgc/files.h"
#include "report/comparison_page.h"
#include "report/run_history.h"
#include "report/run_page.h"

namespace greenkgc {

std::string output_title(std::string_view file, bool two_stages) {
  if (file == "embeddings.safetensors") return "embeddings";
  if (file == "features.safetensors") return "pruned embeddings";
  if (file == "first_stage.gkgc") return "model, first stage";
  if (file == "measured.gkgc")
    return two_stages ? "model, both stages, before the final facts" : "model, before the final facts";
  if (file == "model.gkgc") return two_stages ? "model, both stages" : "model";
  return std::string(file);
}

RunFigures run_figures(const std::filesystem::path& folder) {
  const report::RunHistory run = report::read_run(folder);
  RunFigures figures{.name = run.name,
                     .data = run.data,
                     .preset = run.preset,
                     .finished = run.finished(),
                     .seconds = run.seconds()};
  for (const report::RunStage& stage : run.stages) {
    figures.stages.push_back({stage.name, stage.output, stage.bytes, stage.seconds, stage.finished});
  }
  if (const report::RunStage* stage = run.model_stage()) figures.model_bytes = stage->bytes;
  for (const report::MeasuredOutput& output : run.metrics) {
    const Evaluation& e = output.measured.evaluation;
    if (output.of != "model.gkgc") continue;
    figures.metrics.push_back({output.of, e.split, e.protocol, e.sides.both.queries, e.sides.both.realistic});
    if (e.model) figures.parameters = e.model->parameters();
    figures.ms_per_query = e.ms_per_query();
  }
  return figures;
}

void write_run_report(const std::filesystem::path& folder, const std::filesystem::path& out,
                      const Context& context) {
  write_file(out, report::run_page(folder, context));
}

void write_run_comparison(std::span<const std::filesystem::path> folders, const std::filesystem::path& out,
                          const Context& context) {
  std::vector<report::RunHistory> runs;
  for (const std::filesystem::path& folder : folders) {
    context.check_cancelled();
    runs.push_back(report::read_run(folder));
  }
  write_file(out, report::comparison_page(runs, report::distinct_names(runs)));
}

}  // namespace greenkgc
