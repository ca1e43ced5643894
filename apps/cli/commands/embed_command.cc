#include "greenkgc/embed.h"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "cli/command.h"
#include "cli/display.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct EmbedArguments {
  std::string data;
  std::string out;
  bool resume = false;
  std::string recipe = "auto";
  EmbedOptions embed;
  std::set<std::string> given;  // of the options in `embed`
  LoadOptions load;

  static void declare(OptionList<EmbedArguments>& o) {
    o.add("out", &EmbedArguments::out, "output file (safetensors); log.jsonl is written to the same folder");
    o.add("recipe", &EmbedArguments::recipe,
          "default values for the options below: auto chooses by the size of the graph; the others were "
          "tuned on the validation data of DATASET",
          {.choices = embed_recipes()});
    o.add("resume", &EmbedArguments::resume, "continue an interrupted run from its checkpoint");
  }
};

// "model = rotate, dims = 500, ..."
std::string listed(const EmbedOptions& options) {
  std::string line;
  for (const char c : options_as_toml(&options, option_specs<EmbedOptions>())) {
    if (c == '\n') line += ", ";
    if (c != '\n' && c != '"') line += c;
  }
  return line.substr(0, line.rfind(','));
}

Result run(const EmbedArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const EmbedOptions options = with_recipe(arguments.recipe, dataset, arguments.embed, arguments.given);
  context.say(LogLevel::kInfo, fmt::format("recipe {}: {}", arguments.recipe, listed(options)));
  const EmbedResult result = train_embedding(
      dataset, options, {.out = arguments.out, .resume = arguments.resume, .recipe = arguments.recipe},
      context);

  std::string text =
      fmt::format("{}, {} dimensions: {} epoch{} in {}{}\n", options.model, options.dims,
                  commas(result.epochs), result.epochs == 1 ? "" : "s", short_seconds(result.seconds),
                  result.stopped_early ? ", stopped early" : "");
  if (result.best_mrr >= 0) {
    text += fmt::format("valid MRR {:.4f} (filtered, on a sample) at epoch {}, which was kept\n",
                        result.best_mrr, commas(result.best_epoch));
  }
  text += fmt::format("{}  {}\n", printable(arguments.out),
                      short_amount(static_cast<double>(result.bytes), "bytes"));
  return {text,
          {{"recipe", arguments.recipe},
           {"model", options.model},
           {"dims", options.dims},
           {"epochs", result.epochs},
           {"resumed_epochs", result.resumed_epochs},
           {"stopped_early", result.stopped_early},
           {"best_epoch", result.best_epoch},
           {"best_valid_mrr", result.best_mrr >= 0 ? Json(result.best_mrr) : Json(nullptr)},
           {"loss", result.loss},
           {"seconds", result.seconds},
           {"bytes", result.bytes},
           {"written", arguments.out}}};
}

}  // namespace

Command embed_command() {
  auto arguments = std::make_shared<EmbedArguments>();
  return {.name = "embed",
          .summary = "train embeddings of entities and relations (step 1 of train)",
          .example = "greenkgc embed world --dims 32 --out world.safetensors",
          .positionals = {{"DATA",
                           "a folder with train, valid and test, a single file, or world (a built-in graph)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->embed, &arguments->given),
                      group_of(arguments->load)},
          .required = {"out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
