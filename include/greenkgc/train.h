#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"
#include "greenkgc/prune.h"
#include "greenkgc/rerank.h"

namespace greenkgc {

// Options of a stage, and the names of those that the caller chose; the preset has the others.
template <class Options>
struct ChosenOptions {
  Options options;
  std::set<std::string> given;
};

GREENKGC_API std::vector<std::string> train_presets();  // the names, the default first

// All modules, one after another.
struct TrainOptions {
  std::string preset = "light";
  std::string recipe = "auto";
  ChosenOptions<EmbedOptions> embed;
  ChosenOptions<PruneOptions> prune;
  ChosenOptions<DecideOptions> decide;
  std::string second_stage = "auto";
  ChosenOptions<RerankOptions> rerank;
  bool final = true;
  std::vector<std::string> negatives;
  static void declare(OptionList<TrainOptions>& o) {
    o.add("preset", &TrainOptions::preset,
          "default values for the options of all steps: light, the best accuracy for a small model; paper, "
          "the settings of the paper, whose figures are measured with the protocol `paper`; accurate, larger "
          "vectors",
          {.choices = train_presets()});
    o.add("recipe", &TrainOptions::recipe,
          "recipe of the embedding: auto chooses by preset and graph size; the others were tuned on the "
          "validation data of DATASET",
          {.choices = embed_recipes()});
    o.add("second_stage", &TrainOptions::second_stage,
          "train a second stage that reranks the best candidates with evidence from the graph; auto decides "
          "by the preset (all presets have it except paper)",
          {.choices = {"auto", "yes", "no"}});
    o.add("final", &TrainOptions::final,
          "give the model every fact of the data in the end, also those of validation and test; the metrics "
          "are "
          "those of the model before. For benchmarks, use --final=false: the model then knows the training "
          "facts "
          "only");
    o.add("negatives", &TrainOptions::negatives,
          "files of facts that are known to be false: lines of head, relation and tail, separated by tabs, "
          "or RDF. The model learns from them and never proposes them. Files train_negatives, "
          "valid_negatives and test_negatives in the folder of the data, and NAME_negatives beside a single "
          "file, are read without this option");
  }
};

// What the options come to for a graph.
struct TrainPlan {
  std::string preset;
  std::string recipe;
  EmbedOptions embed;
  PruneOptions prune;
  DecideOptions decide;
  std::optional<RerankOptions> rerank;  // the second stage, if there is to be one
  bool final = false;                   // whether the model gets all facts of the data in the end
  std::vector<std::string> negatives;   // files of facts that are known to be false
  bool measured = true;                 // whether what comes out is ranked and a report written
  std::vector<std::string> protocols;   // that the test facts are ranked under, the preset's own first
  std::vector<std::string> notes;       // for people: what was chosen, and what the data do not allow
};

// Options that are given stay as they are; what a preset asks of data that cannot give it (more groups than
// relations, a base margin without validation facts) is lowered or left out, and a note says so. Throws
// kUsage as with_recipe does.
GREENKGC_API TrainPlan plan_training(const Dataset& dataset, const TrainOptions& options);

// What the options come to before there is a graph.
struct PresetPlan {
  TrainPlan plan;  // for a graph of medium size (that of FB15k-237) with validation facts
  // The options, as "embed.dims", that have other values for some graphs: smaller or larger, or without
  // validation facts.
  std::set<std::string> by_data;
};
GREENKGC_API PresetPlan plan_preset(const TrainOptions& options);

struct TrainRun {
  std::filesystem::path out;  // folder
  bool resume = false;
  std::string data;  // where the dataset comes from, and how it was read; only noted in the folder
  LoadOptions load;
};

struct TrainedStage {
  std::string name;    // "embed", "prune", "decide", "rerank", "final", "evaluate"
  std::string output;  // its file in the folder
  std::uint64_t bytes = 0;
  double seconds = 0;    // of the run that finished it
  bool earlier = false;  // an earlier run finished it
};

struct TrainMetrics {
  std::string of;  // file in the folder
  std::string split;
  std::string protocol;
  std::uint64_t queries = 0;
  RankMetrics metrics;  // both sides, realistic
};

struct TrainResult {
  std::vector<TrainedStage> stages;
  std::vector<TrainMetrics> metrics;           // as metrics.json has them
  std::optional<CompletionReport> completion;  // the same, without ids; nothing where no test fact is hidden
  double seconds = 0;
};

// Trains an embedding, prunes it, learns decisions and, where planned, a second stage, and evaluates all of
// them, in a folder (docs/formats.md has its files). With `resume`, a stage whose file is there, and was made
// from the same options, seed, data and input, is not done again, and an interrupted one goes on from its
// checkpoint: the model has the same bytes as that of a run without interruption. Throws kUsage if the folder
// holds a run and `resume` is not said, and if it holds files of that name that no run made.
GREENKGC_API TrainResult train(const Dataset& dataset, const TrainPlan& plan, const TrainRun& run,
                               const Context& context);

}  // namespace greenkgc
