#include "pipeline/heldout_stage.h"

#include <memory>
#include <string>

#include "graph/split.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/prune.h"
#include "greenkgc/train.h"
#include "pipeline/settings.h"

namespace greenkgc {
namespace {

template <class Options>
Options recorded(const model::Provenance& record, const std::string& key, const char* stage) {
  const auto found = record.find(key);
  if (found == record.end())
    throw Error(ErrorCode::kBadInput,
                std::string("the model does not say with which options its stage ") + stage +
                    " was run, so that cannot be done again for held-out facts; --labels valid needs no "
                    "such run");
  Options options;
  apply_record(found->second, options, std::string("recorded option of ") + stage);
  return options;
}

}  // namespace

HeldOutFacts hold_out(const graph::Dataset& data, double share, const Context& context) {
  graph::Dataset divided;
  divided.entities = data.entities;
  divided.relations = data.relations;
  divided[Split::kTrain] = data[Split::kTrain];
  graph::split_train(divided, {.valid = share, .test = 0}, context);
  auto rest = std::make_unique<graph::Dataset>(std::move(divided));
  std::vector<Triple> held_out = std::move((*rest)[Split::kValid].triples);
  (*rest)[Split::kValid] = data[Split::kValid];
  return {Dataset(std::move(rest)), std::move(held_out)};
}

std::filesystem::path learn_again(const Dataset& dataset, const model::Provenance& record,
                                  const std::filesystem::path& folder, const Context& context) {
  TrainPlan plan;
  plan.preset = "recorded";
  plan.recipe = "recorded";
  plan.embed = recorded<EmbedOptions>(record, "features.embeddings.options", "embed");
  plan.prune = recorded<PruneOptions>(record, "features.options", "prune");
  plan.decide = recorded<DecideOptions>(record, "options", "decide");
  plan.decide.calibration = "none";
  plan.decide.with_facts = false;
  const bool resume = std::filesystem::exists(folder / "run.json");
  train(dataset, plan, {.out = folder, .resume = resume, .data = "held-out", .load = {}}, context);
  return folder / "model.gkgc";
}

}  // namespace greenkgc
