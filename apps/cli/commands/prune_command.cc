#include "greenkgc/prune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct PruneArguments {
  std::string data;
  std::string embeddings;
  std::string out;
  PruneOptions prune;
  LoadOptions load;

  static void declare(OptionList<PruneArguments>& o) {
    o.add("embeddings", &PruneArguments::embeddings, "embeddings from `greenkgc embed`");
    o.add("out", &PruneArguments::out, "output file (safetensors); log.jsonl is written to the same folder");
  }
};

// Relations that a group is shown with; --json has them all.
constexpr std::size_t kShownRelations = 12;

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double kept_mean(const PrunedGroup& group) {
  std::vector<double> costs;
  for (const std::uint32_t dim : group.kept) costs.push_back(group.costs[dim]);
  return mean(costs);
}

std::string groups_table(const PruneResult& result) {
  Table table({{"group"},
               {"relations"},
               {"facts tested"},
               {"best cost"},
               {"mean of kept"},
               {"mean of all"},
               {"worst"}});
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    const PrunedGroup& group = result.groups[g];
    table.add({std::to_string(g), commas(group.relations.size()), commas(group.facts),
               fmt::format("{:.4f}", group.best.cost), fmt::format("{:.4f}", kept_mean(group)),
               fmt::format("{:.4f}", mean(group.costs)), fmt::format("{:.4f}", group.worst.cost)});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string relations_table(const PruneResult& result, const Dataset& dataset) {
  Table table({{"group"}, {"relation", Column::Kind::kLabel}});
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    const auto& relations = result.groups[g].relations;
    for (std::size_t i = 0; i < std::min(relations.size(), kShownRelations); ++i)
      table.add({i == 0 ? std::to_string(g) : "", std::string(dataset.label(relations[i]))});
    if (relations.size() > kShownRelations)
      table.add({"", fmt::format("and {} more", commas(relations.size() - kShownRelations))});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string text_of(const PruneResult& result, const Dataset& dataset, const PruneArguments& arguments) {
  std::string text = fmt::format("{}: {} of {} dimensions kept in each of {} (selector {}), {} in total\n\n",
                                 result.model, commas(result.keep_dims), commas(result.dims),
                                 count_of(result.groups.size(), "group", "groups"), arguments.prune.selector,
                                 commas(result.union_dims));
  text += relations_table(result, dataset) + "\n";
  text +=
      "cost of the dimensions in the discriminant feature test, in bits (0: separates facts from negatives "
      "perfectly)\n";
  text += groups_table(result);
  if (!result.mean_costs.empty())
    text += fmt::format("\nmean cost with 1, 2, ... groups: {:.4f}\n", fmt::join(result.mean_costs, "  "));
  if (result.unconverged > 0)
    text += fmt::format("\n{} did not converge\n", count_of(result.unconverged, "regression", "regressions"));
  if (result.valid_mrr >= 0)
    text += fmt::format(
        "\nvalid MRR (filtered, on a sample) {:.4f} pruned, {:.4f} refitted (epoch {} of {})\n",
        result.valid_mrr, result.refit_valid_mrr, result.refit_epoch, arguments.prune.refit_epochs);
  return text + fmt::format("\n{}  {}, {} of the embedding's {}; in {}\n", printable(arguments.out),
                            short_amount(static_cast<double>(result.bytes), "bytes"),
                            percent(result.bytes, result.source_bytes),
                            short_amount(static_cast<double>(result.source_bytes), "bytes"),
                            short_seconds(result.seconds));
}

Json histogram_json(const CostHistogram& h) {
  return {{"dim", h.dim},   {"cost", h.cost},         {"low", h.low},
          {"high", h.high}, {"observed", h.observed}, {"corrupted", h.corrupted}};
}

Json json_of(const PruneResult& result, const Dataset& dataset, const PruneArguments& arguments) {
  Json groups = Json::array();
  for (const PrunedGroup& group : result.groups) {
    Json relations = Json::array();
    for (const RelationId relation : group.relations) relations.push_back(dataset.label(relation));
    groups.push_back({{"relations", relations},
                      {"facts", group.facts},
                      {"corrupted", group.corrupted},
                      {"kept", group.kept},
                      {"costs", group.costs},
                      {"sorted_selection", group.selection},  // JSON has no infinity: 1 / 0 becomes null
                      {"best", histogram_json(group.best)},
                      {"worst", histogram_json(group.worst)}});
  }
  const auto mrr = [](double x) { return x >= 0 ? Json(x) : Json(nullptr); };
  return {{"model", result.model},
          {"selector", arguments.prune.selector},
          {"scope", arguments.prune.scope},
          {"dims", result.dims},
          {"keep_dims", result.keep_dims},
          {"union_dims", result.union_dims},
          {"groups", groups},
          {"mean_cost_by_groups", result.mean_costs},
          {"unconverged", result.unconverged},
          {"valid_mrr", mrr(result.valid_mrr)},
          {"refit_valid_mrr", mrr(result.refit_valid_mrr)},
          {"refit_epoch", result.refit_epoch},
          {"seconds", result.seconds},
          {"bytes", result.bytes},
          {"embedding_bytes", result.source_bytes},
          {"written", arguments.out}};
}

Result run(const PruneArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const PruneResult result = prune_embedding(
      dataset, arguments.prune, {.embeddings = arguments.embeddings, .out = arguments.out}, context);
  return {text_of(result, dataset, arguments), json_of(result, dataset, arguments)};
}

}  // namespace

Command prune_command() {
  auto arguments = std::make_shared<PruneArguments>();
  return {.name = "prune",
          .summary = "keep the most discriminant dimensions of an embedding (step 2 of train)",
          .example =
              "greenkgc prune world --embeddings world.safetensors --keep-dims 8 --out features.safetensors",
          .positionals = {{"DATA",
                           "a folder with train, valid and test, a single file, or world (a built-in graph)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->prune), group_of(arguments->load)},
          .required = {"embeddings", "out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
