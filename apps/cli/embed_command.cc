#include "greenkgc/embed.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "display.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct EmbedArguments {
  std::string data;
  std::string out;
  bool resume = false;
  EmbedOptions embed;
  LoadOptions load;

  static void declare(OptionList<EmbedArguments>& o) {
    o.add("out", &EmbedArguments::out, "file to write (safetensors); log.jsonl is kept beside it");
    o.add("resume", &EmbedArguments::resume, "go on from the checkpoint of an interrupted run");
  }
};

Result run(const EmbedArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const EmbedResult result =
      train_embedding(dataset, arguments.embed, {.out = arguments.out, .resume = arguments.resume}, context);

  std::string text = fmt::format("{} in {} dimensions: {} epochs in {}{}\n", arguments.embed.model,
                                 arguments.embed.dims, commas(result.epochs), short_seconds(result.seconds),
                                 result.stopped_early ? ", stopped early" : "");
  if (result.best_mrr >= 0) {
    text += fmt::format("valid MRR {:.4f} (filtered, on a sample) after epoch {}, which was kept\n",
                        result.best_mrr, commas(result.best_epoch));
  }
  text += fmt::format("{}  {}\n", printable(arguments.out),
                      short_amount(static_cast<double>(result.bytes), "bytes"));
  return {text,
          {{"model", arguments.embed.model},
           {"dims", arguments.embed.dims},
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
          .summary = "learn vectors of entities and relations (module 1)",
          .example = "greenkgc embed world --dims 32 --epochs 30 --out world.safetensors",
          .positionals = {{"DATA", "a folder with train, valid and test, a single file, or world",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->embed), group_of(arguments->load)},
          .required = {"out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
