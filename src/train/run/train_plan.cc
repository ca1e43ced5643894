#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "greenkgc/error.h"
#include "greenkgc/train.h"
#include "train/embed_recipe.h"
#include "train/rerank/heldout_stage.h"
#include "train/run/affordable.h"
#include "train/run/presets.h"
#include "train/run/settings.h"

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

// What of a graph a plan goes by.
struct GraphSize {
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::uint64_t train_facts = 0;
  bool has_valid = true;
  std::function<bool()> can_hold_out = [] { return true; };  // asked only where a second stage is wanted
};

class Planner {
 public:
  Planner(const GraphSize& graph, const TrainOptions& options)
      : graph_(graph), options_(options), preset_(preset_named(options.preset)) {}

  TrainPlan make() {
    plan_.preset = options_.preset;
    plan_.recipe = options_.recipe;
    plan_.protocols = preset_.protocols;
    plan_embed();
    plan_prune();
    plan_decide();
    plan_rerank();
    plan_.final = options_.final && plan_.decide.with_facts;
    plan_.negatives = options_.negatives;
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
    plan_.embed = recipe_for(options, given);
    if (options_.recipe == "auto" && plan_.embed.dims > preset_.most_dims && given.insert("dims").second) {
      options.dims = preset_.most_dims;
      plan_.embed = recipe_for(options, given);
    }
    bound_valid_sample(options_.embed.given, plan_.embed);
    const EmbedOptions& o = plan_.embed;
    note("embed: {}, {}, {} loss, at most {}", o.model,
         count_of(static_cast<std::uint64_t>(o.dims), "dimension"), o.loss,
         count_of(static_cast<std::uint64_t>(o.epochs), "epoch"));
  }

  EmbedOptions recipe_for(const EmbedOptions& options, const std::set<std::string>& given) const {
    return with_recipe(options_.recipe, {.entities = graph_.entities, .facts = graph_.train_facts}, options,
                       given);
  }

  void plan_prune() {
    plan_.prune = options_.prune.options;
    PruneOptions& o = plan_.prune;
    const std::set<std::string>& given = options_.prune.given;
    apply_settings(preset_.prune, given, o);
    std::uint64_t groups = 0;
    if (!given.contains("groups") && parse_u64(o.groups, groups))
      o.groups = std::to_string(std::min<std::uint64_t>(groups, graph_.relations));
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
    const std::uint64_t facts = graph_.train_facts;
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
    if (o.labels != "valid" && !graph_.can_hold_out()) {
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
    // (docs/lab/first_stage.md).
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

  bool has_valid() const { return graph_.has_valid; }

  template <class Options>
  void bound_valid_sample(const std::set<std::string>& given, Options& o) const {
    if (given.contains("valid_sample")) return;
    o.valid_sample = std::min(o.valid_sample, affordable_facts(kMostValidScores, graph_.entities));
  }

  template <class... Arguments>
  void note(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    plan_.notes.push_back(fmt::format(form, std::forward<Arguments>(arguments)...));
  }

  const GraphSize& graph_;
  const TrainOptions& options_;
  const Preset& preset_;
  TrainPlan plan_;
  std::string why_one_stage_;
};

// Adds the names of options that differ between two plans.
template <class Options>
void add_differences(std::string_view stage, const Options& one, const Options& other,
                     std::set<std::string>& names) {
  for (const OptionSpec& spec : option_specs<Options>()) {
    if (spec.get(&one) != spec.get(&other)) names.insert(fmt::format("{}.{}", stage, spec.name));
  }
}

}  // namespace

std::vector<std::string> train_presets() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

TrainPlan plan_training(const Dataset& dataset, const TrainOptions& options) {
  const auto train = dataset.triples(Split::kTrain);
  const auto can_split = [&] {
    return can_hold_out(train, dataset.entity_count(), dataset.relation_count());
  };
  return Planner({.entities = dataset.entity_count(),
                  .relations = dataset.relation_count(),
                  .train_facts = train.size(),
                  .has_valid = !dataset.triples(Split::kValid).empty(),
                  .can_hold_out = can_split},
                 options)
      .make();
}

PresetPlan plan_preset(const TrainOptions& options) {
  const GraphSize medium{.entities = 14'541, .relations = 237, .train_facts = 272'115};
  // The ends of what is trained: a handful of facts, Wikidata's size, and a graph without validation facts.
  const GraphSize tiny{.entities = 60, .relations = 1, .train_facts = 100};
  const GraphSize large{.entities = 2'500'604, .relations = 535, .train_facts = 16'109'182};
  GraphSize without_valid = medium;
  without_valid.has_valid = false;

  PresetPlan preset{.plan = Planner(medium, options).make(), .by_data = {}};
  for (const GraphSize& graph : {tiny, large, without_valid}) {
    const TrainPlan other = Planner(graph, options).make();
    add_differences("embed", preset.plan.embed, other.embed, preset.by_data);
    add_differences("prune", preset.plan.prune, other.prune, preset.by_data);
    add_differences("decide", preset.plan.decide, other.decide, preset.by_data);
    if (preset.plan.rerank.has_value() != other.rerank.has_value()) preset.by_data.insert("second_stage");
    if (preset.plan.rerank && other.rerank)
      add_differences("rerank", *preset.plan.rerank, *other.rerank, preset.by_data);
  }
  return preset;
}

}  // namespace greenkgc
