#include "greenkgc/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files/event_log.h"
#include "base/files/output_file.h"
#include "base/files/step.h"
#include "base/text.h"
#include "features/feature_file.h"
#include "graph/dataset.h"
#include "graph/identity.h"
#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/calibration/calibrate_groups.h"
#include "rank/metrics.h"
#include "rank/rankers/first_stage_ranker.h"
#include "train/decide/decide_search.h"
#include "train/decide/exchange_trees.h"
#include "train/decide/group_problem.h"
#include "train/negatives/known_negatives.h"
#include "train/negatives/negatives.h"
#include "train/validation.h"
#include "trees/train/learner.h"
#include "trees/train/xgboost_learner.h"
#include "trees/xgboost_json.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

trees::LearnerOptions learner_options(const DecideOptions& options) {
  trees::LearnerOptions learner;
  learner.classifier = options.classifier == "forest" ? trees::Classifier::kForest
                       : options.classifier == "tree" ? trees::Classifier::kTree
                                                      : trees::Classifier::kBoosting;
  learner.objective =
      options.objective == "softmax" ? trees::Objective::kSoftmax : trees::Objective::kLogLoss;
  learner.trees = static_cast<std::size_t>(options.trees);
  learner.depth = static_cast<std::size_t>(options.depth);
  learner.rate = options.rate;
  learner.split = {options.lambda, options.gamma, options.min_child_weight};
  learner.row_share = options.row_share;
  learner.column_share = options.column_share;
  learner.stop_metric = options.stop_metric == "loss" ? trees::StopMetric::kLoss : trees::StopMetric::kAucPr;
  learner.patience = options.stops_by_mrr() ? 0 : static_cast<std::size_t>(options.patience);
  learner.evaluate_every = static_cast<std::size_t>(options.evaluate_every);
  return learner;
}

bool same_cuts(const features::BinnedTable& a, const features::BinnedTable& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) return false;
  for (std::size_t c = 0; c < a.columns(); ++c) {
    if (!std::ranges::equal(a.cuts(c), b.cuts(c))) return false;
  }
  return true;
}

class DecideStage {
 public:
  DecideStage(const graph::Dataset& data, const DecideOptions& options, const DecideRun& run,
              const Context& context)
      : data_(data),
        options_(options),
        run_(run),
        context_(context),
        checkpoint_(run.out.string() + ".checkpoint"),
        log_(run.out.parent_path() / "log.jsonl"),
        identity_{{"options", options_as_toml(&options, option_specs<DecideOptions>())},
                  {"seed", std::to_string(context.seed)},
                  {"data", graph::data_hash(data)},
                  {"features", graph::file_hash(run.features)}},
        validation_(data, static_cast<std::uint64_t>(options.valid_sample), context) {}

  DecideResult run() {
    make_parent_folders(run_.out);
    read_features();
    const std::uint32_t finished = run_.resume ? read_checkpoint() : 0;
    if (options_.search) record_.emplace(run_.out.string() + ".search.jsonl", identity_, run_.resume);
    const GroupProblems problems(data_, options_, decisions_, context_);
    for (std::uint32_t group = 0; group < decisions_.groups.size(); ++group) {
      DecidedGroup decided = describe(group);
      if (group >= finished && run_.trees.empty()) learn(group, problems, decided);
      decided.trees = decisions_.groups[group].trees.trees.size();
      decided.valid_mrr = mrr_of(group, decided.valid_queries);
      log_group(group, decided);
      result_.groups.push_back(std::move(decided));
      if (group >= finished) write_checkpoint(group + 1);
    }
    finish();
    return std::move(result_);
  }

 private:
  void read_features() {
    auto named = features::read_features(run_.features);
    features_provenance_ = named.provenance;
    features::Features features = features::arranged(std::move(named), data_.entities, data_.relations);
    decisions_.phase_form = features.phase_form;
    decisions_.group_of = std::move(features.group_of);
    for (features::Features::Group& group : features.groups) {
      decisions_.groups.push_back({});
      decisions_.groups.back().kept = std::move(group.kept);
    }
    decisions_.embeddings = std::move(features.pruned);
    const features::TripleVariables variables(decisions_.embeddings, decisions_.phase_form);
    if (run_.trees.empty()) {
      decisions_.tables =
          features::binned_variables(variables, static_cast<std::size_t>(options_.bins), context_);
    } else {
      take_trees(variables);
    }
    // What the model will have: scores are by the levels of bins.
    decisions_.embeddings.entities = model::restored_rows(decisions_.tables.entities);
    if (options_.uses_base_margin()) {
      decisions_.counts = {data_[Split::kTrain].triples, data_.relations.size()};
      decisions_.base.resize(data_.relations.size());
    }
  }

  // Those of XGBoost's models, with tables that are cut where they split.
  void take_trees(const features::TripleVariables& variables) {
    auto groups = read_group_trees(run_.trees, decisions_);
    const auto cuts = [&](bool relations, std::size_t per_dim) {
      return threshold_cuts(groups, relations, per_dim * variables.dims());
    };
    decisions_.tables = features::binned_variables(variables, cuts(false, variables.per_entity()),
                                                   cuts(true, variables.per_relation()), context_);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      find_bins(groups[g], decisions_.tables);
      decisions_.groups[g].trees = std::move(groups[g]);
    }
  }

  // How many groups an interrupted run finished; takes their trees.
  std::uint32_t read_checkpoint() {
    if (!fs::exists(checkpoint_)) {
      context_.say(LogLevel::kInfo,
                   fmt::format("no checkpoint at {}; starting from scratch", checkpoint_.string()));
      return 0;
    }
    model::NamedDecisions saved = model::read_model(checkpoint_);
    for (const auto& [key, value] : identity_) {
      if (saved.provenance[key] != value)
        throw Error(ErrorCode::kUsage, fmt::format("{} is from a run with different {}; leave out --resume",
                                                   checkpoint_.string(), key));
    }
    std::uint64_t finished = 0;
    if (!parse_u64(saved.provenance["finished_groups"], finished) || finished > decisions_.groups.size() ||
        saved.decisions.groups.size() != decisions_.groups.size())
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{}: does not say how many groups are finished", checkpoint_.string()));
    // Trees ask for columns and bins by number.
    if (!same_cuts(saved.decisions.tables.entities, decisions_.tables.entities) ||
        !same_cuts(saved.decisions.tables.relations, decisions_.tables.relations) ||
        saved.decisions.base.size() != decisions_.base.size())
      throw Error(
          ErrorCode::kCorrupt,
          fmt::format("{}: its tables do not match the features; leave out --resume", checkpoint_.string()));
    for (std::size_t g = 0; g < finished; ++g) decisions_.groups[g] = std::move(saved.decisions.groups[g]);
    for (std::size_t r = 0; r < saved.decisions.base.size(); ++r) {
      if (decisions_.group_of[r] < finished) decisions_.base[r] = saved.decisions.base[r];
    }
    context_.say(LogLevel::kInfo, fmt::format("resuming after group {} of {} ({})", finished,
                                              decisions_.groups.size(), checkpoint_.string()));
    return static_cast<std::uint32_t>(finished);
  }

  DecidedGroup describe(std::uint32_t group) const {
    DecidedGroup decided;
    for (std::uint32_t r = 0; r < decisions_.group_of.size(); ++r) {
      if (decisions_.group_of[r] == group) decided.relations.push_back(RelationId{r});
    }
    decided.depth = options_.depth;
    decided.rate = options_.rate;
    return decided;
  }

  void learn(std::uint32_t group, const GroupProblems& problems, DecidedGroup& decided) {
    const auto began = Clock::now();
    const GroupProblem problem = problems.make(group);
    for (std::size_t r = 0; r < problem.base.size(); ++r) {
      if (problem.base[r]) decisions_.base[r] = problem.base[r];
    }
    decided.facts = problem.samples.facts.size();
    decided.samples = problem.samples.size();
    if (options_.trees == 0) return;
    if (decided.facts == 0) {
      context_.say(LogLevel::kInfo, fmt::format("group {} has no training facts, so it has no trees", group));
      return;
    }
    trees::LearnedTrees learned = record_ ? search(group, problem, decided) : grow_as_asked(group, problem);
    if (!learned.curve.empty()) {
      const trees::CurvePoint& last = learned.curve.back();
      decided.loss = last.training.loss;
      decided.auc_pr = last.training.auc_pr;
      if (problem.held_out.size() > 0) {
        decided.held_out_loss = last.held_out.loss;
        decided.held_out_auc_pr = last.held_out.auc_pr;
      }
    }
    decisions_.groups[group].trees = std::move(learned.ensemble);
    decided.seconds = seconds_since(began);
  }

  using OnMrr = std::function<bool(std::size_t trees, double mrr)>;

  trees::LearnedTrees grow_as_asked(std::uint32_t group, const GroupProblem& problem) {
    const trees::LearnerOptions options = learner_options(options_);
    std::uint64_t queries = 0;
    const double mrr_without = options_.stops_by_mrr() ? mrr_of(group, queries) : -1;
    if (queries == 0) return grow(group, problem, options, options_.mrr_every, nullptr);

    log_.add("decide.point", {{"group", group}, {"trees", 0}, {"valid_mrr", mrr_without}});
    std::size_t best_trees = 0;
    double best_mrr = mrr_without;
    const auto patience = static_cast<std::size_t>(options_.patience);
    const auto watch = [&](std::size_t trees, double mrr) {
      if (mrr > best_mrr) {
        best_mrr = mrr;
        best_trees = trees;
      }
      return patience == 0 || trees - best_trees < patience;
    };
    trees::LearnedTrees learned = grow(group, problem, options, options_.mrr_every, watch);
    learned.ensemble.trees.resize(best_trees);
    context_.say(LogLevel::kInfo, fmt::format("group {}: valid MRR {:.4f} without trees, {:.4f} with {}",
                                              group, mrr_without, best_mrr, best_trees));
    return learned;
  }

  // Trees of one setting; the curve goes to the log. The MRR is measured every `mrr_every` trees (0: never)
  // and, with `on_mrr`, after the last; that says whether to go on.
  trees::LearnedTrees grow(std::uint32_t group, const GroupProblem& problem,
                           const trees::LearnerOptions& options, std::int64_t mrr_every,
                           const OnMrr& on_mrr) {
    const auto step = static_cast<std::size_t>(mrr_every);
    trees::LearnerInput input = problem.input(decisions_.tables);
    input.on_point = [&](const trees::CurvePoint& point, const trees::TreeEnsemble& ensemble) {
      const bool last = on_mrr && point.trees == options.trees;
      const bool ranks = step > 0 && (last || point.trees % step == 0);
      double mrr = -1;
      if (ranks) {
        std::uint64_t queries = 0;
        decisions_.groups[group].trees = ensemble;
        mrr = mrr_of(group, queries);
      }
      log_point(group, options, point, mrr, input.held_out != nullptr);
      return !ranks || !on_mrr || on_mrr(point.trees, mrr);
    };
    return options_.engine == "xgboost" ? trees::learn_with_xgboost(input, options, context_)
                                        : trees::learn_trees(input, options, context_);
  }

  trees::LearnedTrees search(std::uint32_t group, const GroupProblem& problem, DecidedGroup& decided) {
    SearchInput input{.group = group, .options = learner_options(options_), .learn = {}};
    input.options.patience = 0;
    input.options.evaluate_every = kSearchStep;
    input.learn = [&](const trees::LearnerOptions& options, const OnMrr& on_mrr) {
      context_.say(LogLevel::kInfo,
                   fmt::format("group {}: depth {}, rate {}", group, options.depth, options.rate));
      return grow(group, problem, options, kSearchStep, on_mrr);
    };
    SearchedTrees found = search_grid(input, *record_);
    decided.depth = found.depth;
    decided.rate = found.rate;
    decided.searched = std::move(found.settings);
    return std::move(found.learned);
  }

  // -1 without queries.
  double mrr_of(std::uint32_t group, std::uint64_t& queries) const {
    std::vector<rank::RankQuery> own;
    for (const rank::RankQuery& query : validation_.queries()) {
      if (decisions_.group_of[index(query.relation)] == group) own.push_back(query);
    }
    queries = own.size();
    if (own.empty()) return -1;
    Context quiet = context_;
    quiet.progress = nullptr;
    rank::MetricSum sum;
    const rank::FirstStageRanker ranker(decisions_);
    for (const rank::Ranks& ranks : ranker.ranks(own, {.known = &validation_.known()}, quiet))
      sum.add(ranks.all);
    return sum.mean().realistic.mrr;
  }

  void log_point(std::uint32_t group, const trees::LearnerOptions& options, const trees::CurvePoint& point,
                 double mrr, bool held_out) const {
    nlohmann::ordered_json event = {
        {"group", group},       {"trees", point.trees},        {"depth", options.depth},
        {"rate", options.rate}, {"loss", point.training.loss}, {"auc_pr", point.training.auc_pr}};
    if (held_out) {
      event["held_out_loss"] = point.held_out.loss;
      event["held_out_auc_pr"] = point.held_out.auc_pr;
    }
    if (mrr >= 0) event["valid_mrr"] = mrr;
    log_.add("decide.point", event);
  }

  void log_group(std::uint32_t group, const DecidedGroup& decided) const {
    log_.add("decide.group", {{"group", group},
                              {"relations", decided.relations.size()},
                              {"facts", decided.facts},
                              {"samples", decided.samples},
                              {"trees", decided.trees},
                              {"depth", decided.depth},
                              {"rate", decided.rate},
                              {"valid_mrr", decided.valid_mrr},
                              {"seconds", decided.seconds}});
  }

  // A model without facts, for they are at hand.
  void write_checkpoint(std::uint32_t finished_groups) const {
    kge::Provenance provenance = identity_;
    provenance["finished_groups"] = std::to_string(finished_groups);
    model::write_model(checkpoint_, {decisions_, data_.entities, data_.relations, {}, provenance});
  }

  void write_result() const {
    kge::Provenance provenance = identity_;
    for (const auto& [key, value] : features_provenance_) provenance["features." + key] = value;
    std::vector<Triple> facts;
    if (options_.with_facts) {
      for (const Split split : {Split::kTrain, Split::kValid})
        facts.insert(facts.end(), data_[split].triples.begin(), data_[split].triples.end());
    }
    const std::vector<Triple> negatives = known_negatives(data_, kSplitsOfTraining, run_.negatives, context_);
    model::write_model(run_.out,
                       {decisions_, data_.entities, data_.relations, facts, provenance, nullptr, negatives});
  }

  void finish() {
    rank::calibrate(data_, {options_.calibration, 2 * static_cast<std::uint64_t>(options_.valid_sample)},
                    decisions_, context_);
    write_result();
    std::error_code ignored;
    fs::remove(checkpoint_, ignored);
    if (record_) record_->remove_file();
    double sum = 0;
    double queries = 0;
    for (const DecidedGroup& group : result_.groups) {
      if (group.valid_queries == 0) continue;
      sum += group.valid_mrr * static_cast<double>(group.valid_queries);
      queries += static_cast<double>(group.valid_queries);
    }
    if (queries > 0) result_.valid_mrr = sum / queries;
    result_.bytes = fs::file_size(run_.out);
    result_.seconds = seconds_since(began_);
    log_.add("decide.done",
             {{"valid_mrr", result_.valid_mrr}, {"seconds", result_.seconds}, {"bytes", result_.bytes}});
  }

  const graph::Dataset& data_;
  const DecideOptions& options_;
  const DecideRun& run_;
  const Context& context_;
  const fs::path checkpoint_;
  const EventLog log_;
  const graph::Identity identity_;
  const Validation validation_;
  kge::Provenance features_provenance_;
  model::Decisions decisions_;
  std::optional<SearchRecord> record_;
  DecideResult result_;
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

void DecideOptions::validate() const {
  const auto refuse = [](const char* why) { throw Error(ErrorCode::kUsage, why); };
  decide::parse_negatives(negatives);
  if (classifier != "boosting" && objective == "softmax")
    refuse("--objective softmax needs --classifier boosting");
  if (classifier != "boosting" && search) refuse("--search needs --classifier boosting");
  if (search && valid_sample == 0)
    refuse("--search compares settings by valid MRR, so --valid-sample must not be 0");
  if (patience > 0 && !stops_by_mrr() && (held_out == 0 || evaluate_every == 0))
    refuse("--patience needs --held-out and --evaluate-every above 0");
  if (uses_base_margin() && held_out == 0)
    refuse("--base-margin is fitted on held-out samples, so --held-out must not be 0");
  if (stops_by_mrr() && classifier != "boosting")
    refuse("--stop-metric valid-mrr needs --classifier boosting");
  if (stops_by_mrr() && trees > 0 &&
      (valid_sample == 0 || evaluate_every == 0 || mrr_every == 0 || mrr_every % evaluate_every != 0))
    refuse(
        "--stop-metric valid-mrr needs --valid-sample above 0, and --mrr-every as a multiple of "
        "--evaluate-every");
}

DecideResult learn_decisions(const Dataset& dataset, const DecideOptions& options, const DecideRun& run,
                             const Context& context) {
  options.validate();
  if (dataset.triples(Split::kTrain).empty())
    throw Error(ErrorCode::kBadInput, "there are no training facts");
  check_output(run.out, run.features, "the features file");
  return DecideStage(dataset.impl(), options, run, context).run();
}

}  // namespace greenkgc
