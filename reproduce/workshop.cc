#include "workshop.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/output_file.h"
#include "base/text.h"
#include "greenkgc/error.h"
#include "kge/embedding_file.h"
#include "rank/evaluate/evaluation_reader.h"
#include "train/run/recorded_stage.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kQuickDivisor = 8;
constexpr std::int64_t kFewDims = 64;  // up to here the recipes for 32 dimensions do better

template <class Options>
std::string toml_of(const Options& options) {
  return options_as_toml(&options, option_specs<Options>());
}

std::string recipe_for(const std::string& dataset, const std::string& model, std::int64_t dims) {
  const std::string name = lower_case(dataset + "-" + model);
  const auto names = embed_recipes();
  for (const std::string& candidate : {dims <= kFewDims ? name + "-32" : name, name}) {
    if (std::find(names.begin(), names.end(), candidate) != names.end()) return candidate;
  }
  return "auto";
}

}  // namespace

Workshop::Workshop(const ReproduceRun& run, const ReproduceOptions& options, const Context& context)
    : run_(run), options_(options), context_(context) {
  if (options.quick) note("Quick: small generated graphs and short trainings. These figures mean nothing.");
  if (options.scope == "global") note("Dimensions are chosen globally, as the authors' program does.");
  if (options.trees > 0)
    note(fmt::format("{} trees per group instead of the paper's number.", options.trees));
  if (options.epochs > 0)
    note(fmt::format("Embeddings are trained for {} epochs instead of the number in their recipes.",
                     options.epochs));
}

const PaperDataset& Workshop::paper(const std::string& name) {
  const auto& all = paper_datasets();
  return *std::find_if(all.begin(), all.end(),
                       [&](const PaperDataset& dataset) { return dataset.name == name; });
}

std::int64_t Workshop::dims(std::int64_t paper_dims) const {
  return options_.quick ? std::max<std::int64_t>(2, paper_dims / kQuickDivisor) : paper_dims;
}

graph::Identity Workshop::identity_of(const std::string& dataset) const {
  return {{"seed", std::to_string(context_.seed)}, {"data", graph::data_hash(datasets_.at(dataset)->impl())}};
}

fs::path Workshop::folder_for(const std::string& dataset, const std::string& slug,
                              const graph::Identity& identity) const {
  const std::string text =
      nlohmann::ordered_json(identity).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return run_.out / "artefacts" / dataset /
         fmt::format("{}-{:016x}", slug, XXH3_64bits(text.data(), text.size()));
}

void Workshop::remember(const Artefact& artefact) {
  const bool known =
      std::any_of(used_.begin(), used_.end(), [&](const Artefact& a) { return a.file == artefact.file; });
  if (!known) used_.push_back(artefact);
}

void Workshop::note(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

Artefact Workshop::embedding(const std::string& dataset, const std::string& model, std::int64_t paper_dims) {
  context_.check_cancelled();
  const Dataset& data = *datasets_.at(dataset);
  EmbedOptions options;
  options.model = model;
  options.dims = dims(paper_dims);
  std::set<std::string> given = {"model", "dims"};
  if (options_.quick || options_.epochs > 0) {
    options.epochs = options_.epochs > 0 ? options_.epochs : 3;
    given.insert("epochs");
  }
  const std::string recipe = options_.quick ? "auto" : recipe_for(dataset, model, options.dims);
  options = with_recipe(recipe, data, options, given);
  graph::Identity identity = identity_of(dataset);
  identity["options"] = toml_of(options);
  const fs::path folder = folder_for(dataset, fmt::format("{}-{}", model, options.dims), identity);
  Artefact artefact{dataset, "embedding", folder / "embeddings.safetensors", identity["options"]};
  RunRecord record(folder / "run.json", true);
  artefact.seconds =
      run_recorded(record, "embed", artefact.file, identity, [&](bool resume) {
        context_.say(LogLevel::kInfo,
                     fmt::format("{}: embedding, {} with {} dimensions", dataset, model, options.dims));
        train_embedding(data, options, {.out = artefact.file, .resume = resume, .recipe = recipe}, context_);
      }).seconds;
  artefact.total_seconds = artefact.seconds;
  artefact.bytes = fs::file_size(artefact.file);
  remember(artefact);
  return artefact;
}

PruneOptions Workshop::prune_options(const std::string& dataset, std::int64_t paper_keep_dims) {
  PruneOptions options;
  options.groups =
      std::to_string(std::min<std::int64_t>(paper(dataset).groups, datasets_.at(dataset)->relation_count()));
  options.keep_dims = dims(paper_keep_dims);
  options.scope = options_.scope;
  return options;
}

Artefact Workshop::features(const Artefact& embedding, const PruneOptions& options) {
  context_.check_cancelled();
  graph::Identity identity = identity_of(embedding.dataset);
  identity["options"] = toml_of(options);
  identity["embeddings"] = graph::file_hash(embedding.file);
  const fs::path folder =
      folder_for(embedding.dataset, fmt::format("{}-{}", options.selector, options.keep_dims), identity);
  Artefact artefact{embedding.dataset, "features", folder / "features.safetensors", identity["options"]};
  RunRecord record(folder / "run.json", true);
  artefact.seconds = run_recorded(record, "prune", artefact.file, identity, [&](bool) {
                       prune_embedding(*datasets_.at(embedding.dataset), options,
                                       {.embeddings = embedding.file, .out = artefact.file}, context_);
                     }).seconds;
  artefact.total_seconds = embedding.total_seconds + artefact.seconds;
  artefact.bytes = fs::file_size(artefact.file);
  remember(artefact);
  return artefact;
}

DecideOptions Workshop::decide_options(const std::string& dataset) const {
  const PaperDataset& paper_settings = paper(dataset);
  DecideOptions options;
  options.negatives = paper_settings.negatives;
  options.negatives_per_side = options_.quick ? 2 : options_.negatives_per_side;
  options.trees = options_.trees > 0 ? options_.trees : options_.quick ? 6 : paper_settings.trees;
  options.depth = paper_settings.depth;
  options.rate = paper_settings.rate;
  options.base_margin = false;
  if (options_.quick) {
    options.evaluate_every = 2;
    options.mrr_every = 2;
    options.valid_sample = 50;
  }
  return options;
}

Artefact Workshop::model(const Artefact& features, const DecideOptions& options) {
  context_.check_cancelled();
  graph::Identity identity = identity_of(features.dataset);
  identity["options"] = toml_of(options);
  identity["features"] = graph::file_hash(features.file);
  const fs::path folder =
      folder_for(features.dataset, fmt::format("{}-{}", options.negatives, options.trees), identity);
  Artefact artefact{features.dataset, "model", folder / "model.gkgc", identity["options"]};
  RunRecord record(folder / "run.json", true);
  artefact.seconds =
      run_recorded(record, "decide", artefact.file, identity, [&](bool resume) {
        context_.say(LogLevel::kInfo,
                     fmt::format("{}: trees on {}", features.dataset, features.folder().filename().string()));
        learn_decisions(*datasets_.at(features.dataset), options,
                        {.features = features.file, .out = artefact.file, .resume = resume}, context_);
      }).seconds;
  artefact.total_seconds = features.total_seconds + artefact.seconds;
  artefact.bytes = fs::file_size(artefact.file);
  remember(artefact);
  return artefact;
}

Artefact Workshop::green(const std::string& dataset, const std::string& model_name, std::int64_t paper_dims,
                         std::int64_t paper_keep_dims) {
  const Artefact pruned =
      features(embedding(dataset, model_name, paper_dims), prune_options(dataset, paper_keep_dims));
  return model(pruned, decide_options(dataset));
}

Evaluation Workshop::evaluation(const Artefact& artefact, const std::string& protocol,
                                const std::string& split, std::int64_t sample) {
  context_.check_cancelled();
  const Dataset& data = *datasets_.at(artefact.dataset);
  const EvaluateOptions options{
      .split = split, .protocol = protocol, .sample = sample, .calibration_sample = 0};
  graph::Identity identity = identity_of(artefact.dataset);
  identity["test"] = graph::split_hash(data.impl(), Split::kTest);
  identity["options"] = toml_of(options);
  identity["of"] = graph::file_hash(artefact.file);
  const std::string name =
      fmt::format("{}-{}{}", split, protocol, sample > 0 ? fmt::format("-{}", sample) : "");
  const fs::path out = artefact.folder() / (name + ".json");
  RunRecord record(artefact.folder() / "run.json", true);
  run_recorded(record, name, out, identity, [&](bool) {
    auto json = nlohmann::ordered_json::parse(
        evaluation_json(evaluate(data, artefact.file, options, context_), data));
    json.erase("relations");
    write_file(out, json.dump(2) + "\n");
  });
  std::ifstream file(out, std::ios::binary);
  return rank::read_evaluation(nlohmann::ordered_json::parse(file)).evaluation;
}

std::uint64_t Workshop::parameters(const Artefact& artefact) {
  if (artefact.kind == "model") return evaluation(artefact, "filtered").model->parameters();
  const auto named = kge::read_embeddings(artefact.file);
  return named.embeddings.entities.size() + named.embeddings.relations.size();
}

}  // namespace greenkgc
