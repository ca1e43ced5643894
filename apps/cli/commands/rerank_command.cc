#include "greenkgc/rerank.h"

#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "greenkgc/dataset.h"

namespace greenkgc::cli {

namespace {

struct RerankArguments {
  std::string data;
  std::string model;
  std::string out;
  std::string heldout;
  std::vector<std::string> negatives;
  RerankOptions rerank;
  LoadOptions load;

  static void declare(OptionList<RerankArguments>& o) {
    o.add("model", &RerankArguments::model,
          "the first stage: a model from `greenkgc train --second-stage no` or `greenkgc decide`");
    o.add("out", &RerankArguments::out, "two-stage model to write; log.jsonl is written to the same folder");
    o.add("heldout", &RerankArguments::heldout,
          "with --labels heldout: folder for the run that trains a first stage without the held-out facts; "
          "it is kept, and reused if it matches. By default a temporary folder");
    o.add("negatives", &RerankArguments::negatives,
          "files of facts that are known to be false, beside train_negatives and valid_negatives in DATA");
  }
};

std::string text_of(const RerankResult& result, const RerankArguments& arguments) {
  std::string text = fmt::format(
      "{} trees over {} features, trained on {} queries ({} candidates, which contain {:.1f} % of the "
      "answers); {} rules\nlabels: {}; link features: {}\n",
      commas(result.trees), commas(result.features), commas(result.questions), commas(result.candidates),
      100 * result.recall, commas(result.rules),
      result.labels == "valid" ? "validation facts" : "held-out training facts",
      arguments.rerank.links ? "yes" : "no");
  if (result.list_mrr >= 0)
    text += fmt::format("MRR {:.4f} among the candidates, on held-out queries\n", result.list_mrr);
  if (result.first_valid_mrr >= 0)
    text += fmt::format("valid MRR {:.4f} without the second stage", result.first_valid_mrr);
  if (result.valid_mrr >= 0) text += fmt::format(", {:.4f} with it", result.valid_mrr);
  if (result.first_valid_mrr >= 0) text += " (filtered by train and valid facts, on a sample)\n";
  return text + fmt::format("\n{}  {}; in {}\n", printable(arguments.out),
                            short_amount(static_cast<double>(result.bytes), "bytes"),
                            short_seconds(result.seconds));
}

Json json_of(const RerankResult& result, const RerankArguments& arguments) {
  return {{"labels", result.labels},
          {"links", arguments.rerank.links},
          {"questions", result.questions},
          {"candidates", result.candidates},
          {"recall", result.recall},
          {"features", result.features},
          {"rules", result.rules},
          {"trees", result.trees},
          {"list_mrr", number(result.list_mrr)},
          {"first_valid_mrr", number(result.first_valid_mrr)},
          {"valid_mrr", number(result.valid_mrr)},
          {"seconds", result.seconds},
          {"bytes", result.bytes},
          {"written", arguments.out}};
}

Result run(const RerankArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const RerankResult result = learn_reranking(dataset, arguments.rerank,
                                              {.model = arguments.model,
                                               .out = arguments.out,
                                               .heldout = arguments.heldout,
                                               .negatives = arguments.negatives},
                                              context);
  return {text_of(result, arguments), json_of(result, arguments)};
}

}  // namespace

Command rerank_command() {
  auto arguments = std::make_shared<RerankArguments>();
  return {.name = "rerank",
          .summary = "train a second stage that reranks the best candidates (step 4 of train)",
          .example = "greenkgc rerank world --model world.gkgc --out world2.gkgc",
          .positionals = {{"DATA",
                           "a folder with train, valid and test, a single file, or world (a built-in graph)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->rerank), group_of(arguments->load)},
          .required = {"model", "out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
