#include "greenkgc/decide.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct DecideArguments {
  std::string data;
  std::string features;
  std::string out;
  std::string trees_from;
  bool resume = false;
  DecideOptions decide;
  LoadOptions load;

  static void declare(OptionList<DecideArguments>& o) {
    o.add("features", &DecideArguments::features, "features from `greenkgc prune`");
    o.add("out", &DecideArguments::out, "model to write; log.jsonl is written to the same folder");
    o.add("trees_from", &DecideArguments::trees_from,
          "folder of XGBoost models (group-0.json and so on; see convert) to use instead of training trees");
    o.add("resume", &DecideArguments::resume, "continue an interrupted run after its last finished group");
  }
};

std::string groups_table(const DecideResult& result) {
  Table table({{"group"},
               {"relations"},
               {"facts"},
               {"samples"},
               {"trees"},
               {"depth"},
               {"rate"},
               {"loss"},
               {"held-out"},
               {"AUC-PR"},
               {"held-out"},
               {"valid MRR"},
               {"time"}});
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    const DecidedGroup& group = result.groups[g];
    table.add({std::to_string(g), commas(group.relations.size()), commas(group.facts), commas(group.samples),
               commas(group.trees), std::to_string(group.depth), fmt::format("{:g}", group.rate),
               figure(group.loss), figure(group.held_out_loss), figure(group.auc_pr, 3),
               figure(group.held_out_auc_pr, 3), figure(group.valid_mrr), short_seconds(group.seconds)});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string search_table(const DecideResult& result) {
  Table table({{"group"}, {"depth"}, {"rate"}, {"trees"}, {"valid MRR"}, {"", Column::Kind::kLabel}});
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    for (const SearchedSetting& setting : result.groups[g].searched) {
      for (std::size_t i = 0; i < setting.mrr.size(); ++i) {
        const bool last = i + 1 == setting.mrr.size();
        table.add({std::to_string(g), std::to_string(setting.depth), fmt::format("{:g}", setting.rate),
                   commas(static_cast<std::uint64_t>(setting.trees[i])), figure(setting.mrr[i]),
                   last && setting.abandoned ? "abandoned" : ""});
      }
    }
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string text_of(const DecideResult& result, const DecideArguments& arguments) {
  std::string text;
  if (arguments.decide.search) text += "settings tried\n" + search_table(result) + "\n";
  text += groups_table(result);
  if (result.valid_mrr >= 0)
    text += fmt::format("\nvalid MRR {:.4f} (filtered by train and valid facts, on a sample)\n",
                        result.valid_mrr);
  return text + fmt::format("\n{}  {}; in {}\n", printable(arguments.out),
                            short_amount(static_cast<double>(result.bytes), "bytes"),
                            short_seconds(result.seconds));
}

Json json_of(const DecideResult& result, const Dataset& dataset, const DecideArguments& arguments) {
  Json groups = Json::array();
  for (const DecidedGroup& group : result.groups) {
    Json relations = Json::array();
    for (const RelationId relation : group.relations) relations.push_back(dataset.label(relation));
    Json searched = Json::array();
    for (const SearchedSetting& setting : group.searched)
      searched.push_back({{"depth", setting.depth},
                          {"rate", setting.rate},
                          {"trees", setting.trees},
                          {"valid_mrr", setting.mrr},
                          {"abandoned", setting.abandoned}});
    groups.push_back({{"relations", relations},
                      {"facts", group.facts},
                      {"samples", group.samples},
                      {"trees", group.trees},
                      {"depth", group.depth},
                      {"rate", group.rate},
                      {"loss", number(group.loss)},
                      {"auc_pr", number(group.auc_pr)},
                      {"held_out_loss", number(group.held_out_loss)},
                      {"held_out_auc_pr", number(group.held_out_auc_pr)},
                      {"valid_mrr", number(group.valid_mrr)},
                      {"seconds", group.seconds},
                      {"searched", searched}});
  }
  return {{"classifier", arguments.decide.classifier},
          {"engine", arguments.decide.engine},
          {"negatives", arguments.decide.negatives},
          {"groups", groups},
          {"valid_mrr", number(result.valid_mrr)},
          {"seconds", result.seconds},
          {"bytes", result.bytes},
          {"written", arguments.out}};
}

Result run(const DecideArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const DecideResult result = learn_decisions(dataset, arguments.decide,
                                              {.features = arguments.features,
                                               .out = arguments.out,
                                               .trees = arguments.trees_from,
                                               .resume = arguments.resume},
                                              context);
  return {text_of(result, arguments), json_of(result, dataset, arguments)};
}

}  // namespace

Command decide_command() {
  auto arguments = std::make_shared<DecideArguments>();
  return {.name = "decide",
          .summary = "train tree classifiers that separate facts from negatives (step 3 of train)",
          .example = "greenkgc decide world --features features.safetensors --out world.gkgc",
          .positionals = {{"DATA",
                           "a folder with train, valid and test, a single file, or world (a built-in graph)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->decide), group_of(arguments->load)},
          .required = {"features", "out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
