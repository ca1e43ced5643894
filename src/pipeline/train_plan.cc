#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "greenkgc/error.h"
#include "greenkgc/train.h"
#include "pipeline/affordable.h"
#include "pipeline/heldout_stage.h"
#include "pipeline/presets.h"
#include "pipeline/settings.h"

namespace greenkgc {
namespace {

const Preset& preset_named(const std::string& name) {
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no preset {}; the presets are {}", in_quotes(name),
                                             fmt::join(train_presets(), ", ")));
}

// Fewer training facts leave too little of a tenth of them to learn from.
constexpr std::size_t kFewFacts = 500;
// Scores of candidates that one measurement on valid may take within a stage.
constexpr double kMostValidScores = 2.5e9;

class Planner {
 public:
  Planner(const Dataset& dataset, const TrainOptions& options)
      : dataset_(dataset), options_(options), preset_(preset_named(options.preset)) {}

  TrainPlan make() {
    plan_.preset = options_.preset;
    plan_.recipe = options_.recipe;
    plan_.protocols = preset_.protocols;
    plan_embed();
    plan_prune();
    plan_decide();
    plan_rerank();
    note_decide();
    note_rerank();
    return std::move(plan_);
  }

 private:
  // A named recipe comes in place of what the preset says.
  void plan_embed() {
    EmbedOptions options = options_.embed.options;
    std::set<std::string> given = options_.embed.given;
    if (options_.recipe == "auto") {
      apply_settings(preset_.embed, given, options);
      given.merge(names_in(preset_.embed));
    }
    plan_.embed = with_recipe(options_.recipe, dataset_, options, given);
    if (options_.recipe == "auto" && plan_.embed.dims > preset_.most_dims && given.insert("dims").second) {
      options.dims = preset_.most_dims;
      plan_.embed = with_recipe(options_.recipe, dataset_, options, given);
    }
    bound_valid_sample(options_.embed.given, plan_.embed);
    const EmbedOptions& o = plan_.embed;
    note("embed: {}, {}, {} loss, at most {}", o.model,
         count_of(static_cast<std::uint64_t>(o.dims), "dimension"), o.loss,
         count_of(static_cast<std::uint64_t>(o.epochs), "epoch"));
  }

  void plan_prune() {
    plan_.prune = options_.prune.options;
    PruneOptions& o = plan_.prune;
    const std::set<std::string>& given = options_.prune.given;
    apply_settings(preset_.prune, given, o);
    std::uint64_t groups = 0;
    if (!given.contains("groups") && parse_u64(o.groups, groups))
      o.groups = std::to_string(std::min<std::uint64_t>(groups, dataset_.relation_count()));
    if (!given.contains("keep_dims")) o.keep_dims = std::min(o.keep_dims, plan_.embed.dims);
    note("prune: {}, relation groups: {}, stored as {}",
         o.selector == "none" ? "all dimensions kept"
                              : fmt::format("{} dimensions kept, chosen by {}", o.keep_dims, o.selector),
         o.groups, fmt::join(o.store, " and "));
  }

  void plan_decide() {
    plan_.decide = options_.decide.options;
    DecideOptions& o = plan_.decide;
    apply_settings(preset_.decide, options_.decide.given, o);
    bound_valid_sample(options_.decide.given, o);
    if (!has_valid())
      apply_settings("base_margin=false stop_metric=auc-pr patience=0", options_.decide.given, o);
  }

  void note_decide() {
    const DecideOptions& o = plan_.decide;
    if (o.trees == 0) {
      note("decide: no trees, only the prior (the embedding's score and answer frequencies)");
      return;
    }
    note("decide: {} of depth {} per group, {} objective, negatives {} ({} per side){}{}",
         count_of(static_cast<std::uint64_t>(o.trees), "tree"), o.depth, o.objective, o.negatives,
         o.negatives_per_side, o.uses_base_margin() ? ", starting from a prior" : "",
         o.stops_by_mrr() ? ", the number chosen on validation facts" : "");
    if (!has_valid())
      note(
          "no validation facts: training cannot stop at its best epoch, the trees have no prior, and all of "
          "them are kept");
  }

  void plan_rerank() {
    const bool wanted = options_.second_stage == "yes" || !options_.rerank.given.empty() ||
                        (options_.second_stage == "auto" && preset_.second_stage);
    if (!wanted || options_.second_stage == "no") return;
    const std::size_t facts = dataset_.triples(Split::kTrain).size();
    if (options_.second_stage == "auto" && facts < kFewFacts) {
      why_one_stage_ = fmt::format("{} are too few to hold some out", count_of(facts, "training fact"));
      return;
    }
    if (!plan_.decide.with_facts) {
      why_one_stage_ = "it reads the facts stored in the model, and the model stores none";
      return;
    }
    RerankOptions& o = plan_.rerank.emplace(options_.rerank.options);
    apply_settings(preset_.rerank, options_.rerank.given, o);
    if (o.labels != "valid" &&
        !can_hold_out(dataset_.triples(Split::kTrain), dataset_.entity_count(), dataset_.relation_count())) {
      const std::string why = "every training fact is the only one of an entity or a relation";
      if (options_.second_stage == "yes")
        throw Error(
            ErrorCode::kBadInput,
            fmt::format("cannot train a second stage on held-out facts: {}{}", why,
                        has_valid() ? "; use --rerank.labels valid to train it on validation facts" : ""));
      why_one_stage_ = why;
      plan_.rerank.reset();
      return;
    }
    bound_valid_sample(options_.rerank.given, o);
    // Trees that see a fact's own row alone add nothing to trees that see the evidence, too
    // (docs/reranking.md).
    if (preset_.second_stage && has_valid()) apply_settings("trees=0", options_.decide.given, plan_.decide);
  }

  void note_rerank() {
    if (!why_one_stage_.empty()) note("rerank: no second stage: {}", why_one_stage_);
    if (!plan_.rerank) return;
    const RerankOptions& o = *plan_.rerank;
    note("rerank: at most {} of depth {} over {} candidates, trained on {}",
         count_of(static_cast<std::uint64_t>(o.trees), "tree"), o.depth, o.list_size,
         o.labels == "valid" ? "validation facts" : "held-out training facts");
  }

  bool has_valid() const { return !dataset_.triples(Split::kValid).empty(); }

  template <class Options>
  void bound_valid_sample(const std::set<std::string>& given, Options& o) const {
    if (given.contains("valid_sample")) return;
    o.valid_sample = std::min(o.valid_sample, affordable_facts(kMostValidScores, dataset_.entity_count()));
  }

  template <class... Arguments>
  void note(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    plan_.notes.push_back(fmt::format(form, std::forward<Arguments>(arguments)...));
  }

  const Dataset& dataset_;
  const TrainOptions& options_;
  const Preset& preset_;
  TrainPlan plan_;
  std::string why_one_stage_;
};

}  // namespace

std::vector<std::string> train_presets() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

TrainPlan plan_training(const Dataset& dataset, const TrainOptions& options) {
  return Planner(dataset, options).make();
}

}  // namespace greenkgc
