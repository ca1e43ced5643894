#include "greenkgc/reproduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/step.h"
#include "base/text.h"
#include "greenkgc/error.h"
#include "recipes.h"

namespace greenkgc {
namespace {

struct Recipe {
  Reproducible what;
  MakeExhibit make;
};

// In the order of the paper.
const std::vector<Recipe>& recipes() {
  static const std::string fb = "FB15k-237";
  static const std::string wn = "WN18RR";
  static const std::string yago = "YAGO3-10";
  static const std::string scale = "ogbl-wikikg2";
  static const std::vector<Recipe> all = {
      {{"figure-parameters", "MRR by number of embedding parameters", {fb, yago}}, make_parameter_figure},
      {{"table-groups", "relation groups of WN18RR", {wn}}, make_group_table},
      {{"figure-group-entropy", "mean cross-entropy by number of groups", {fb}}, make_group_entropy_figure},
      {{"table-datasets", "dataset statistics", {wn, fb, yago, scale}}, make_dataset_table},
      {{"table-low-dimensions", "link prediction with 32 dimensions", {fb, wn, yago}},
       make_low_dimension_table},
      {{"table-baselines", "embeddings with 500 and 100 dimensions, and GreenKGC with 100", {fb, wn, yago}},
       make_baseline_table},
      {{"figure-dimensions", "MRR by number of dimensions, 8 to 256", {fb}}, make_dimension_figure},
      {{"table-wikikg2", "link prediction on ogbl-wikikg2", {scale}}, make_scale_table},
      {{"table-pruning", "pruning methods, RotatE + GreenKGC with 32 dimensions", {fb, wn}},
       make_pruning_table},
      {{"figure-discriminability", "sorted discriminability of dimensions by selector", {fb}},
       make_discriminability_figure},
      {{"figure-groups", "MRR by number of groups", {fb, wn}}, make_group_figure},
      {{"table-models", "embedding models and their variables", {}}, make_model_table},
      {{"figure-histograms", "histograms of a good and a bad dimension", {fb}}, make_histogram_figure},
      {{"table-categories", "MRR by relation category with 32 dimensions", {fb}}, make_category_table},
      {{"table-pruning-time", "time to prune 512 to 100 dimensions", {fb, wn, yago}},
       make_pruning_time_table},
      {{"table-inference", "accuracy, size and ranking time with 128 dimensions", {fb, wn}},
       make_inference_table},
      {{"figure-scores", "predicted scores of all answers to one query", {fb}}, make_score_figure},
      {{"table-negatives", "negative sampling methods, RotatE + GreenKGC with 32 dimensions", {fb, wn}},
       make_negatives_table},
      {{"figure-training", "AUC-PR and MRR during training", {fb}}, make_training_figure},
  };
  return all;
}

const Recipe& recipe_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) {
    if (recipe.what.name == name) return recipe;
    names.push_back(recipe.what.name);
  }
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::kUsage,
              fmt::format("the paper has no {}{} (run `greenkgc reproduce list` for the names)",
                          in_quotes(name), near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace

const std::vector<Reproducible>& reproducibles() {
  static const std::vector<Reproducible> all = [] {
    std::vector<Reproducible> list;
    for (const Recipe& recipe : recipes()) list.push_back(recipe.what);
    return list;
  }();
  return all;
}

Reproduced reproduce(const ReproduceRun& run, const ReproduceOptions& options, const Context& context) {
  const Recipe& recipe = recipe_named(run.name);
  std::error_code ignored;
  if (!options.quick && run.data.empty() && !recipe.what.datasets.empty())
    throw Error(ErrorCode::kUsage,
                "reproduce needs --data, the folder that contains the datasets' folders, or --quick");
  if (!options.quick && !run.data.empty() && !std::filesystem::is_directory(run.data, ignored))
    throw Error(ErrorCode::kBadInput, fmt::format("{} is not a folder", run.data.string()));
  const auto began = Clock::now();
  Workshop workshop(run, options, context);
  const Exhibit exhibit = recipe.make(recipe.what, workshop);
  return write_exhibit(recipe.what, exhibit, workshop, seconds_since(began));
}

}  // namespace greenkgc
