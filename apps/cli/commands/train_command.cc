#include "greenkgc/train.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/completion_text.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/dataset.h"
#include "greenkgc/report.h"

namespace greenkgc::cli {

namespace {

struct TrainArguments {
  std::string data;
  std::string out;
  bool resume = false;
  TrainOptions train;
  LoadOptions load;

  static void declare(OptionList<TrainArguments>& o) {
    o.add("out", &TrainArguments::out, "folder for the run: model.gkgc and everything it was made from");
    o.add("resume", &TrainArguments::resume,
          "continue the run in that folder; steps that finished with the same options are not repeated");
  }
};

std::string stages_table(const TrainResult& result) {
  Table table({{"step", Column::Kind::kText},
               {"written", Column::Kind::kText},
               {"size"},
               {"time"},
               {"", Column::Kind::kText}});
  for (const TrainedStage& stage : result.stages)
    table.add({stage.name, stage.output, short_amount(static_cast<double>(stage.bytes), "bytes"),
               short_seconds(stage.seconds), stage.earlier ? "from an earlier run" : ""});
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string metrics_table(const TrainResult& result) {
  std::vector<Column> columns = {{"", Column::Kind::kText},
                                 {"split", Column::Kind::kText},
                                 {"protocol", Column::Kind::kText},
                                 {"queries"}};
  for (const RankMetric& metric : rank_metrics()) columns.push_back({metric.heading});
  Table table(std::move(columns));
  const bool two_stages = std::any_of(result.stages.begin(), result.stages.end(),
                                      [](const TrainedStage& stage) { return stage.name == "rerank"; });
  for (const TrainMetrics& m : result.metrics) {
    std::vector<std::string> cells = {output_title(m.of, two_stages), m.split, short_protocol(m.protocol),
                                      commas(m.queries)};
    for (const RankMetric& metric : rank_metrics())
      cells.push_back(fmt::format("{:.{}f}", m.metrics.*metric.value, metric.digits));
    table.add(std::move(cells));
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string text_of(const TrainResult& result, const TrainArguments& arguments) {
  std::string text = stages_table(result) + "\n";
  text += result.metrics.empty() ? "no validation or test facts, so nothing was evaluated\n"
                                 : metrics_table(result);
  if (result.completion) text += fmt::format("completion, test: {}\n", completion_line(*result.completion));
  return text +
         fmt::format("\n{} in {}\n", printable(arguments.out + "/model.gkgc"), short_seconds(result.seconds));
}

Json json_of(const TrainResult& result, const TrainPlan& plan, const TrainArguments& arguments) {
  Json stages = Json::array();
  for (const TrainedStage& stage : result.stages)
    stages.push_back({{"name", stage.name},
                      {"output", stage.output},
                      {"bytes", stage.bytes},
                      {"seconds", stage.seconds},
                      {"earlier", stage.earlier}});
  Json metrics = Json::array();
  for (const TrainMetrics& m : result.metrics) {
    Json entry = {{"of", m.of}, {"split", m.split}, {"protocol", m.protocol}, {"queries", m.queries}};
    for (const RankMetric& metric : rank_metrics()) entry[metric.key] = m.metrics.*metric.value;
    metrics.push_back(std::move(entry));
  }
  return {{"preset", plan.preset}, {"recipe", plan.recipe},     {"notes", plan.notes},     {"stages", stages},
          {"metrics", metrics},    {"seconds", result.seconds}, {"written", arguments.out}};
}

Result run(const TrainArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const TrainPlan plan = plan_training(dataset, arguments.train);
  const TrainResult result = train(
      dataset, plan,
      {.out = arguments.out, .resume = arguments.resume, .data = arguments.data, .load = arguments.load},
      context);
  return {text_of(result, arguments), json_of(result, plan, arguments)};
}

}  // namespace

Command train_command() {
  auto arguments = std::make_shared<TrainArguments>();
  TrainOptions& train = arguments->train;
  return {
      .name = "train",
      .summary = "train a model from a graph: all steps, in one run folder",
      .example = "greenkgc train world --out run",
      .positionals = {{"DATA",
                       "a folder with train, valid and test, a single file, or world (a built-in graph)",
                       &arguments->data}},
      .options = {group_of(*arguments), group_of(train),
                  group_of(train.embed.options, &train.embed.given, "embed"),
                  group_of(train.prune.options, &train.prune.given, "prune"),
                  group_of(train.decide.options, &train.decide.given, "decide"),
                  group_of(train.rerank.options, &train.rerank.given, "rerank"), group_of(arguments->load)},
      .required = {"out"},
      .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
