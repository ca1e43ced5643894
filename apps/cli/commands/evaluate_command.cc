#include "greenkgc/evaluate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/completion_text.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct EvaluateArguments {
  std::string data;
  std::string model;
  EvaluateOptions evaluate;
  LoadOptions load;

  static void declare(OptionList<EvaluateArguments>& o) {
    o.add("model", &EvaluateArguments::model,
          "what to evaluate: embeddings from `greenkgc embed`, features from `greenkgc prune`, or a model "
          "from `greenkgc train`; of a run, measured.gkgc is the model that does not know the test facts");
  }
};

// Never a figure without the protocol that it was measured by.
std::string protocol_words(const std::string& protocol) {
  if (protocol == "filtered")
    return "filtered: all entities except other known answers; ties count with their mean rank";
  if (protocol == "raw") return "raw: all entities; ties count with their mean rank";
  if (protocol == "range")
    return "range: candidates outside the relation's training range come last, the answer included";
  return "paper, answer exempt: candidates outside the relation's training range are removed, except the "
         "answer";
}

std::string facts_words(const Evaluation& evaluation) {
  std::string words = evaluation.split == "all" ? "all facts of the file" : evaluation.split + " split";
  if (evaluation.skipped > 0)
    words += fmt::format(" except {} with unknown labels", count_of(evaluation.skipped, "fact", "facts"));
  return words;
}

void add_row(Table& table, const std::string& name, const TieMetrics& m) {
  if (m.queries == 0) return;
  std::vector<std::string> cells = {name, commas(m.queries)};
  for (const RankMetric& metric : rank_metrics())
    cells.push_back(fmt::format("{:.{}f}", m.realistic.*metric.value, metric.digits));
  table.add(std::move(cells));
}

std::string model_text(const ModelFigures& model) {
  return fmt::format("\n{} parameters (entities {}, relations {}, trees {}, second stage {}), {} on disk\n",
                     commas(model.parameters()), commas(model.entity_parameters),
                     commas(model.relation_parameters), commas(model.tree_parameters),
                     commas(model.second_stage_parameters),
                     short_amount(static_cast<double>(model.bytes), "bytes"));
}

std::string reliability_text(const std::string& over, const Reliability& reliability) {
  Table table({{"probability", Column::Kind::kText}, {"candidates"}, {"predicted"}, {"observed"}});
  for (const ReliabilityBin& bin : reliability.bins) {
    if (bin.candidates == 0) continue;
    table.add({fmt::format("{:g} to {:g}", bin.from, bin.to), commas(bin.candidates),
               fmt::format("{:.5f}", bin.predicted), fmt::format("{:.5f}", bin.observed)});
  }
  return fmt::format("\n{}: expected calibration error {:.5f}\n{}", over,
                     reliability.expected_calibration_error, table.text(terminal_columns(STDOUT_FILENO)));
}

std::string calibration_text(const CalibrationReport& report) {
  return fmt::format("\ncalibration, measured on {}; candidates that are in no split count as false\n",
                     count_of(report.questions, "query", "queries")) +
         reliability_text("the 10 best answers of each query", report.top) +
         reliability_text("all candidates", report.all);
}

std::string text_of(const Evaluation& evaluation, const EvaluateArguments& arguments) {
  std::vector<Column> columns = {{"", Column::Kind::kText}, {"queries"}};
  for (const RankMetric& metric : rank_metrics()) columns.push_back({metric.heading});
  Table table(std::move(columns));
  add_row(table, "both sides", evaluation.sides.both);
  add_row(table, "heads", evaluation.sides.head);
  add_row(table, "tails", evaluation.sides.tail);
  for (std::size_t c = 0; c < evaluation.categories.size(); ++c) {
    const std::string name(category_name(static_cast<RelationCategory>(c)));
    add_row(table, name + " heads", evaluation.categories[c].head);
    add_row(table, name + " tails", evaluation.categories[c].tail);
  }
  std::string text =
      fmt::format("{}, {}{}\n{}", facts_words(evaluation), protocol_words(evaluation.protocol),
                  evaluation.self_answers ? "" : "; the entity that a query names is not a candidate",
                  table.text(terminal_columns(STDOUT_FILENO)));
  if (!evaluation.labels.empty())
    text += fmt::format("\ntwo stages; second stage trained on: {}; link features: {}\n",
                        evaluation.labels == "valid" ? "validation facts" : "held-out training facts",
                        evaluation.links ? "yes" : "no");
  if (arguments.evaluate.sample > 0) {
    text += fmt::format("\nmeasured on a sample: the standard error of the MRR is {:.4f}\n",
                        evaluation.sides.both.mrr_standard_error);
  }
  if (evaluation.calibration) text += calibration_text(*evaluation.calibration);
  if (evaluation.model) text += model_text(*evaluation.model);
  return text + fmt::format("\n{} in {}, {:.3f} ms each; {} in total\n",
                            count_of(evaluation.sides.both.queries, "query", "queries"),
                            short_seconds(evaluation.inference_seconds), evaluation.ms_per_query(),
                            short_seconds(evaluation.seconds));
}

Result run(const EvaluateArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const Evaluation evaluation = evaluate(dataset, arguments.model, arguments.evaluate, context);
  return {evaluation.completion ? completion_text(evaluation) : text_of(evaluation, arguments),
          Json::parse(evaluation_json(evaluation, dataset))};
}

}  // namespace

Command evaluate_command() {
  auto arguments = std::make_shared<EvaluateArguments>();
  return {.name = "evaluate",
          .summary = "measure a model: rank the facts of a split, or look for them among what it completes",
          .example =
              "greenkgc evaluate world --model world.safetensors\n"
              "  greenkgc evaluate world --model run/measured.gkgc --task completion\n"
              "  greenkgc evaluate new-facts.tsv --model model.gkgc",
          .positionals = {{"DATA",
                           "the data that the model was trained on: a folder with train, valid and test, a "
                           "single file, or world (a built-in graph); or other facts with labels of the "
                           "model, in any order (all facts of a single file are ranked)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->evaluate), group_of(arguments->load)},
          .required = {"model"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
