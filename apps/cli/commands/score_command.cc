#include "greenkgc/score.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "cli/written_files.h"
#include "greenkgc/dataset.h"
#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

struct ScoreArguments {
  std::string triples;
  std::string model;
  std::string data;
  std::string out = "-";
  ScoreOptions score;
  LoadOptions load;

  static void declare(OptionList<ScoreArguments>& o) {
    o.add("model", &ScoreArguments::model, "model from `greenkgc train`");
    o.add("data", &ScoreArguments::data,
          "data with valid_negatives (as CoDEx has), for choosing a threshold per relation; without TRIPLES, "
          "also classifies its test facts and test_negatives");
    o.add("out", &ScoreArguments::out, "output file for the probabilities; - is standard output");
  }
};

Table metrics_table() {
  return Table({{"", Column::Kind::kLabel},
                {"triples"},
                {"facts"},
                {"accuracy"},
                {"F1"},
                {"precision"},
                {"recall"},
                {"AUC-PR"},
                {"AUC-ROC"},
                {"log-loss"},
                {"Brier"}});
}

void add_row(Table& table, std::string_view name, const BinaryMetrics& m) {
  table.add({std::string(name), commas(m.triples), commas(m.facts), figure(m.accuracy), figure(m.f1),
             figure(m.precision), figure(m.recall), figure(m.auc_pr), figure(m.auc_roc), figure(m.log_loss),
             figure(m.brier)});
}

Json metrics_json(const BinaryMetrics& m) {
  return {{"triples", m.triples},       {"facts", m.facts},
          {"accuracy", m.accuracy},     {"f1", m.f1},
          {"precision", m.precision},   {"recall", m.recall},
          {"auc_pr", number(m.auc_pr)}, {"auc_roc", number(m.auc_roc)},
          {"log_loss", m.log_loss},     {"brier", m.brier}};
}

std::string text_of(const Classification& result, const Model& model) {
  Table table = metrics_table();
  add_row(table, "test", result.test);
  add_row(table, "valid", result.valid);
  for (const RelationClassification& relation : result.relations)
    add_row(table, model.label(relation.relation), relation.test);
  const std::string how = result.thresholds.weights ? "weights of score and probability" : "a threshold";
  return fmt::format("triple classification, with {} per relation chosen on valid\n", how) +
         table.text(terminal_columns(STDOUT_FILENO));
}

Json weights_json(const TruthWeights& weights) {
  return {{"offset", weights.offset}, {"score", weights.score}, {"log_odds", weights.log_odds}};
}

Json threshold_json(const Thresholds& thresholds, RelationId relation) {
  for (const RelationThreshold& threshold : thresholds.relations) {
    if (threshold.relation == relation && threshold.weights)
      return {{"weights", weights_json(*threshold.weights)},
              {"valid_triples", threshold.triples},
              {"valid_accuracy", threshold.accuracy}};
    if (threshold.relation == relation)
      return {{"margin", threshold.margin},
              {"probability", threshold.probability},
              {"valid_triples", threshold.triples},
              {"valid_accuracy", threshold.accuracy}};
  }
  return nullptr;
}

Json json_of(const Classification& result, const Model& model, double prior) {
  Json relations = Json::array();
  for (const RelationClassification& relation : result.relations)
    relations.push_back({{"relation", model.label(relation.relation)},
                         {"threshold", threshold_json(result.thresholds, relation.relation)},
                         {"test", metrics_json(relation.test)}});
  const auto& weights = result.thresholds.weights;
  return {{"threshold_probability", weights ? Json(nullptr) : Json(result.thresholds.probability)},
          {"weights", weights ? weights_json(*weights) : Json(nullptr)},
          {"prior", prior > 0 ? Json(prior) : Json(nullptr)},
          {"test", metrics_json(result.test)},
          {"valid", metrics_json(result.valid)},
          {"relations", relations}};
}

std::string text_of(const ScoreReport& report, bool from_valid) {
  std::string text = count_of(report.scored, "triple", "triples");
  if (report.skipped > 0)
    text += fmt::format("; {} skipped because of unknown labels", count_of(report.skipped, "line", "lines"));
  text += fmt::format(", in {}\n", short_seconds(report.seconds));
  if (!report.metrics) return text;
  Table table = metrics_table();
  add_row(table, from_valid ? "thresholds from valid" : "threshold 0.5", *report.metrics);
  return text + table.text(terminal_columns(STDOUT_FILENO));
}

Json json_of(const ScoreReport& report, bool from_valid, double prior) {
  return {{"scored", report.scored},
          {"skipped", report.skipped},
          {"seconds", report.seconds},
          {"thresholds", from_valid ? "valid" : "0.5"},
          {"prior", prior > 0 ? Json(prior) : Json(nullptr)},
          {"metrics", report.metrics ? metrics_json(*report.metrics) : Json(nullptr)}};
}

Result run(const ScoreArguments& arguments, const Context& context) {
  if (arguments.triples.empty() && arguments.data.empty())
    throw Error(ErrorCode::kUsage, "score needs TRIPLES, or --data with negatives for triple classification");
  const Model model = Model::open(arguments.model);
  std::optional<Dataset> data;
  if (!arguments.data.empty()) data.emplace(Dataset::load(arguments.data, arguments.load, context));
  if (arguments.triples.empty()) {
    const Classification result = classify(model, *data, arguments.score, context);
    return {text_of(result, model), json_of(result, model, arguments.score.prior)};
  }
  std::optional<Thresholds> thresholds;
  if (data) thresholds = choose_thresholds(model, *data, context);
  const std::string out = output_path(arguments.out);
  const ScoreReport report =
      score_file(model,
                 {.triples = arguments.triples == "-" ? "/dev/stdin" : arguments.triples,
                  .out = out,
                  .thresholds = thresholds ? &*thresholds : nullptr},
                 arguments.score, context);
  return {text_of(report, data.has_value()), json_of(report, data.has_value(), arguments.score.prior),
          is_standard_output(out)};
}

}  // namespace

Command score_command() {
  auto arguments = std::make_shared<ScoreArguments>();
  return {.name = "score",
          .summary = "compute probabilities of given triples; triple classification",
          .example =
              "greenkgc score --model model.gkgc triples.tsv\n"
              "  greenkgc score --model model.gkgc --data CoDEx-S",
          .positionals = {{.name = "TRIPLES",
                           .help = "lines of head, relation, tail and, for metrics, a label (1; 0 or -1), "
                                   "separated by tabs; .gz, .zst; - is standard input",
                           .value = &arguments->triples,
                           .optional = true}},
          .options = {group_of(*arguments), group_of(arguments->score), group_of(arguments->load)},
          .required = {"model"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
