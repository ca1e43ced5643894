#include "greenkgc/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/files/event_log.h"
#include "base/files/folder_lock.h"
#include "base/files/output_file.h"
#include "base/files/step.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "graph/identity.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"
#include "greenkgc/report.h"
#include "greenkgc/version.h"
#include "rank/evaluate/completion_json.h"
#include "rank/evaluate/evaluate_completion.h"
#include "rank/evaluate/evaluation_ground.h"
#include "rank/evaluate/proposals.h"
#include "train/negatives/known_negatives.h"
#include "train/run/affordable.h"
#include "train/run/finish_model.h"
#include "train/run/recorded_stage.h"
#include "train/run/run_record.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kEmbeddings = "embeddings.safetensors";
constexpr const char* kFeatures = "features.safetensors";
constexpr const char* kFirstStageFile = "first_stage.gkgc";
constexpr const char* kModel = "model.gkgc";
constexpr const char* kMeasured = "measured.gkgc";  // the model before it gets all facts
constexpr const char* kHeldOut = "heldout";         // folder of the stages without held-out facts
constexpr const char* kMetrics = "metrics.json";
constexpr const char* kReport = "report.html";
constexpr std::array kOutputs = {kEmbeddings, kFeatures, kFirstStageFile, kMeasured,
                                 kModel,      kMetrics,  kReport};

// Valid facts that each output ranks: enough to compare them, and quick; fewer where candidates are many.
constexpr std::int64_t kValidSample = 5000;
constexpr double kMaxReportedScores = 5e9;
// Scores of candidates that one measurement on test may take; more facts than that allows are sampled. About
// a minute with few trees; FB15k-237's test takes 0.6e9.
constexpr double kMostScores = 2e10;

template <class Options>
std::string toml_of(const Options& options) {
  return options_as_toml(&options, option_specs<Options>());
}

void refuse_taken_folder(const fs::path& folder, bool resume) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw Error(ErrorCode::kUsage, fmt::format("{} is a file, but a run needs a folder", folder.string()));
  const bool has_run = fs::exists(folder / "run.json", ignored);
  if (has_run && !resume) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} already contains a run: use --resume to continue it (steps whose options, "
                            "seed or data have changed are repeated), or choose another folder",
                            folder.string()));
  }
  if (has_run) return;
  for (const char* output : kOutputs) {
    if (fs::exists(folder / output, ignored))
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} already exists and is not from a run of train; choose another folder",
                              (folder / output).string()));
  }
}

// What a later stage would refuse, before the first one has taken its time.
void check_plan(const Dataset& dataset, const TrainPlan& plan) {
  plan.embed.validate();
  plan.prune.validate();
  plan.decide.validate();
  if (plan.rerank) plan.rerank->validate();
  if (dataset.triples(Split::kTrain).empty())
    throw Error(ErrorCode::kBadInput, "there are no training facts");
  if (plan.prune.selector != "none" && plan.prune.keep_dims > plan.embed.dims)
    throw Error(ErrorCode::kUsage,
                fmt::format("--keep-dims {} is more than --dims {}", plan.prune.keep_dims, plan.embed.dims));
  std::uint64_t groups = 0;
  if (parse_u64(plan.prune.groups, groups) && groups > dataset.relation_count())
    throw Error(ErrorCode::kUsage, fmt::format("--groups {} is more than the {} in the data", groups,
                                               count_of(dataset.relation_count(), "relation")));
}

class Training {
 public:
  Training(const Dataset& dataset, const TrainPlan& plan, const TrainRun& run, const Context& context)
      : dataset_(dataset),
        plan_(plan),
        run_(run),
        context_(context),
        record_(run.out / "run.json", run.resume),
        log_(run.out / "log.jsonl"),
        common_{{"program", build_info().version},
                {"seed", std::to_string(context.seed)},
                {"data", graph::data_hash(dataset.impl())}} {}

  TrainResult train() {
    log_.add("train.start", {{"preset", plan_.preset}, {"resume", run_.resume}});
    for (const std::string& note : plan_.notes) context_.say(LogLevel::kInfo, note);
    write_file(run_.out / "config.toml", config());
    embed();
    prune();
    decide();
    if (plan_.rerank) {
      rerank();
    } else {  // a run that this one goes on with may have had one
      record_.forget("rerank");
      fs::remove(run_.out / kFirstStageFile);
    }
    if (plan_.final) {
      finish();
    } else {
      record_.forget("final");
      fs::remove(run_.out / kMeasured);
    }
    if (plan_.measured) {
      evaluate_all();
      read_metrics();
    }
    result_.seconds = seconds_since(began_);
    log_.add("train.done", {{"seconds", result_.seconds}});
    if (plan_.measured) write_report();
    return std::move(result_);
  }

 private:
  // All that the result depends on; `greenkgc train DATA --config` takes it.
  std::string config() const {
    TrainOptions options;
    options.preset = plan_.preset;
    options.recipe = plan_.recipe;
    options.second_stage = plan_.rerank ? "yes" : "no";
    options.final = plan_.final;
    options.negatives = plan_.negatives;
    const std::string rerank = plan_.rerank ? "\n[rerank]\n" + toml_of(*plan_.rerank) : "";
    return fmt::format(
        "# greenkgc {} train {}\n# data hash {}\nseed = {}\n\n[train]\n{}{}\n[embed]\n{}\n[prune]\n{}\n"
        "[decide]\n{}{}",
        build_info().version, in_quotes(run_.data), common_.at("data"), context_.seed, toml_of(options),
        toml_of(run_.load), toml_of(plan_.embed), toml_of(plan_.prune), toml_of(plan_.decide), rerank);
  }

  void embed() {
    graph::Identity identity = common_;
    identity["options"] = toml_of(plan_.embed);
    const std::string recipe = fmt::format("{} (preset {})", plan_.recipe, plan_.preset);
    identity["recipe"] = recipe;
    stage("embed", kEmbeddings, identity, [&](const fs::path& out, bool resume) {
      train_embedding(dataset_, plan_.embed, {.out = out, .resume = resume, .recipe = recipe}, context_);
    });
  }

  void prune() {
    graph::Identity identity = common_;
    identity["options"] = toml_of(plan_.prune);
    identity["embeddings"] = graph::file_hash(run_.out / kEmbeddings);
    stage("prune", kFeatures, identity, [&](const fs::path& out, bool) {
      prune_embedding(dataset_, plan_.prune, {.embeddings = run_.out / kEmbeddings, .out = out}, context_);
    });
  }

  void decide() {
    graph::Identity identity = common_;
    identity["options"] = toml_of(plan_.decide);
    identity["features"] = graph::file_hash(run_.out / kFeatures);
    add_negatives(kSplitsOfTraining, identity);
    stage(
        "decide", plan_.rerank ? kFirstStageFile : measured(), identity,
        [&](const fs::path& out, bool resume) {
          learn_decisions(
              dataset_, plan_.decide,
              {.features = run_.out / kFeatures, .out = out, .resume = resume, .negatives = plan_.negatives},
              context_);
        });
  }

  void rerank() {
    graph::Identity identity = common_;
    identity["options"] = toml_of(*plan_.rerank);
    identity["first stage"] = graph::file_hash(run_.out / kFirstStageFile);
    add_negatives(kSplitsOfTraining, identity);
    stage("rerank", measured(), identity, [&](const fs::path& out, bool) {
      const fs::path heldout = run_.out / kHeldOut;
      learn_reranking(dataset_, *plan_.rerank,
                      {.model = run_.out / kFirstStageFile,
                       .out = out,
                       .heldout = heldout,
                       .measured = false,
                       .negatives = plan_.negatives},
                      context_);
      fs::remove_all(heldout);
    });
  }

  // Facts that are known to be false are part of what a step starts from. Without any, nothing is added.
  void add_negatives(const VisibleSplits& splits, graph::Identity& identity) const {
    for (const Split split : splits.negatives) {
      if (!dataset_.triples(split).empty())
        identity[std::string(split_name(split))] = graph::split_hash(dataset_.impl(), split);
    }
    for (const std::string& file : plan_.negatives) identity["negatives"] += graph::file_hash(file) + " ";
  }

  // The model as it is measured: without the facts of valid and test.
  const char* measured() const { return plan_.final ? kMeasured : kModel; }

  void finish() {
    graph::Identity identity = common_;
    identity["test"] = graph::split_hash(dataset_.impl(), Split::kTest);
    identity["measured"] = graph::file_hash(run_.out / kMeasured);
    add_negatives(kSplitsOfFinalModel, identity);
    stage("final", kModel, identity, [&](const fs::path& out, bool) {
      finish_model(dataset_.impl(), run_.out / kMeasured, out, plan_.negatives, context_);
    });
  }

  // What is measured, in the order of the stages.
  std::vector<const char*> outputs() const {
    if (plan_.rerank) return {kEmbeddings, kFeatures, kFirstStageFile, measured()};
    return {kEmbeddings, kFeatures, measured()};
  }

  void evaluate_all() {
    graph::Identity identity = common_;
    identity["test"] = graph::split_hash(dataset_.impl(), Split::kTest);
    for (const char* output : outputs()) identity[output] = graph::file_hash(run_.out / output);
    for (const std::string& protocol : plan_.protocols) identity["protocols"] += protocol + " ";
    stage("evaluate", kMetrics, identity, [&](const fs::path& out, bool) {
      EvaluationGround ground(dataset_.impl());
      const std::int64_t sample = test_sample();
      const std::int64_t valid_sample =
          std::min(kValidSample, affordable_facts(kMaxReportedScores, dataset_.entity_count()));
      ordered_json all = ordered_json::array();
      for (const char* output : outputs()) {
        add_metrics(ground, output, {.split = "valid", .protocol = "filtered", .sample = valid_sample}, all);
        for (const std::string& protocol : plan_.protocols)
          add_metrics(ground, output, {.split = "test", .protocol = protocol, .sample = sample}, all);
      }
      ordered_json json = {{"preset", plan_.preset}, {"data", run_.data}, {"metrics", all}};
      add_completion(json);
      write_file(out, json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    });
  }

  // How well the measured model finds the test facts. On a large graph it completes a sample of the heads,
  // since all of them would take longer than training.
  void add_completion(ordered_json& json) const {
    if (!plan_.decide.with_facts || dataset_.triples(Split::kTest).empty()) return;
    const Model model = Model::open(run_.out / measured());
    const HeadSample sample = sample_heads(model, affordable_heads(model, context_), context_);
    if (!sample.all())
      context_.say(LogLevel::kInfo,
                   fmt::format("evaluate: completes a sample of {} of the {}; `greenkgc evaluate --task "
                               "completion` can complete all of them",
                               with_commas(sample.heads.size()), count_of(model.entity_count(), "entity")));
    const CompletionReport report =
        evaluate_completion(model, dataset_.impl(), Split::kTest, sample, context_);
    if (report.all.hidden == 0) return;
    json["completion"] = {{"of", kModel}, {"before_final", plan_.final}};
    json["completion"].update(completion_json(report));
  }

  // As EvaluateOptions has it: 0 is all of them.
  std::int64_t test_sample() const {
    const std::size_t facts = dataset_.triples(Split::kTest).size();
    const std::int64_t affordable = affordable_facts(kMostScores, dataset_.entity_count());
    if (facts <= static_cast<std::size_t>(affordable)) return 0;
    context_.say(
        LogLevel::kInfo,
        fmt::format(
            "evaluate: ranks a sample of {} of the {} test facts; `greenkgc evaluate` can rank all of them",
            with_commas(static_cast<std::uint64_t>(affordable)), with_commas(facts)));
    return affordable;
  }

  void add_metrics(EvaluationGround& ground, const char* output, const EvaluateOptions& options,
                   ordered_json& all) const {
    if (dataset_.triples(options.split == "test" ? Split::kTest : Split::kValid).empty()) return;
    const Evaluation evaluation = evaluate(ground, run_.out / output, options, context_);
    const bool is_model = std::string_view(output) == measured();
    ordered_json entry = {{"of", is_model ? kModel : output}, {"bytes", fs::file_size(run_.out / output)}};
    if (is_model) entry["before_final"] = plan_.final;
    entry.update(ordered_json::parse(evaluation_json(evaluation, dataset_)));
    if (options.split != "test") entry.erase("relations");
    all.push_back(std::move(entry));
  }

  using RunStage = std::function<void(const fs::path& out, bool resume)>;

  void stage(const std::string& name, const char* output, const graph::Identity& identity,
             const RunStage& run) {
    context_.check_cancelled();
    const fs::path out = run_.out / output;
    const StageOutcome outcome =
        run_recorded(record_, name, out, identity, [&](bool resume) { run(out, resume); });
    if (outcome.earlier)
      context_.say(LogLevel::kInfo, fmt::format("{}: already finished by an earlier run", name));
    result_.stages.push_back({name, output, fs::file_size(out), outcome.seconds, outcome.earlier});
  }

  // A log that somebody else wrote into is no reason to fail: the model is there.
  void write_report() const {
    try {
      write_run_report(run_.out, run_.out / kReport, context_);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      context_.say(LogLevel::kWarning, fmt::format("cannot write the report of this run: {}", error.what()));
    }
  }

  // From the file, as an earlier run may have made it.
  void read_metrics() {
    std::ifstream file(run_.out / kMetrics, std::ios::binary);
    const auto json = ordered_json::parse(file);
    for (const auto& entry : json.at("metrics")) {
      TrainMetrics metrics{entry.at("of"), entry.at("split"), entry.at("protocol"), entry.at("queries"), {}};
      for (const RankMetric& metric : rank_metrics())
        metrics.metrics.*metric.value = entry.at("both").at("realistic").at(metric.key);
      result_.metrics.push_back(std::move(metrics));
    }
    if (json.contains("completion")) result_.completion = read_completion(json.at("completion"));
  }

  const Dataset& dataset_;
  const TrainPlan& plan_;
  const TrainRun& run_;
  const Context& context_;
  RunRecord record_;
  const EventLog log_;
  const graph::Identity common_;
  TrainResult result_;
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

TrainResult train(const Dataset& dataset, const TrainPlan& plan, const TrainRun& run,
                  const Context& context) {
  check_plan(dataset, plan);
  refuse_taken_folder(run.out, run.resume);
  const FolderLock lock(run.out);
  return Training(dataset, plan, run, context).train();
}

}  // namespace greenkgc
