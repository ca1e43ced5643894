#include "train/rerank/heldout_stage.h"

#include <algorithm>
#include <memory>
#include <string>

#include "graph/split.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/prune.h"
#include "greenkgc/train.h"
#include "train/run/settings.h"

namespace greenkgc {
namespace {

template <class Options>
Options recorded(const kge::Provenance& record, const std::string& key, const char* stage) {
  const auto found = record.find(key);
  if (found == record.end())
    throw Error(ErrorCode::kBadInput, std::string("the model does not record the options of its step ") +
                                          stage +
                                          ", so it cannot be repeated without the held-out facts; use "
                                          "--labels valid, which does not need this");
  Options options;
  apply_record(found->second, options, std::string("recorded option of ") + stage);
  return options;
}

// In their order, where none is there twice.
std::vector<Triple> each_once(const std::vector<Triple>& facts) {
  std::vector<Triple> distinct = facts;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct.size() == facts.size() ? facts : distinct;
}

}  // namespace

bool can_hold_out(std::span<const Triple> facts, std::uint32_t entities, std::uint32_t relations) {
  std::vector<Triple> distinct = each_once({facts.begin(), facts.end()});
  std::vector<std::uint32_t> of_entity(entities);
  std::vector<std::uint32_t> of_relation(relations);
  for (const Triple& fact : distinct) {
    ++of_entity[index(fact.head)];
    if (fact.tail != fact.head) ++of_entity[index(fact.tail)];
    ++of_relation[index(fact.relation)];
  }
  return std::ranges::any_of(distinct, [&](const Triple& fact) {
    return of_entity[index(fact.head)] > 1 && of_entity[index(fact.tail)] > 1 &&
           of_relation[index(fact.relation)] > 1;
  });
}

HeldOutFacts hold_out(const graph::Dataset& data, double share, const Context& context) {
  graph::Dataset divided;
  divided.entities = data.entities;
  divided.relations = data.relations;
  divided[Split::kTrain].triples = each_once(data[Split::kTrain].triples);
  graph::split_train(divided, {.valid = share, .test = 0}, context);
  auto rest = std::make_unique<graph::Dataset>(std::move(divided));
  std::vector<Triple> held_out = std::move((*rest)[Split::kValid].triples);
  (*rest)[Split::kValid] = data[Split::kValid];
  return {Dataset(std::move(rest)), std::move(held_out)};
}

std::filesystem::path learn_again(const Dataset& dataset, const kge::Provenance& record,
                                  const std::filesystem::path& folder, const Context& context) {
  TrainPlan plan;
  plan.preset = "recorded";
  plan.recipe = "recorded";
  plan.embed = recorded<EmbedOptions>(record, "features.embeddings.options", "embed");
  plan.prune = recorded<PruneOptions>(record, "features.options", "prune");
  plan.decide = recorded<DecideOptions>(record, "options", "decide");
  plan.decide.calibration = "none";
  if (plan.decide.trees == 0) plan.decide.valid_sample = 0;  // nothing would go by it
  plan.decide.with_facts = false;
  plan.measured = false;
  const bool resume = std::filesystem::exists(folder / "run.json");
  train(dataset, plan, {.out = folder, .resume = resume, .data = "held-out", .load = {}}, context);
  return folder / "model.gkgc";
}

}  // namespace greenkgc
