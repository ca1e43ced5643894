#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/options.h"

namespace greenkgc {

// Module 3: how trees learn to tell facts from false ones, for each group of relations.
struct DecideOptions {
  std::string negatives = "random,ontology";
  std::int64_t negatives_per_side = 32;
  double leave_out = 0;
  std::int64_t pool_factor = 8;
  std::string classifier = "boosting";
  std::string engine = "native";
  std::string objective = "log-loss";
  std::int64_t trees = 400;
  std::int64_t depth = 5;
  double rate = 0.2;
  double lambda = 1;
  double gamma = 0;
  double min_child_weight = 1;
  double row_share = 1;
  double column_share = 1;
  std::int64_t bins = 256;
  bool base_margin = true;
  std::int64_t max_facts = 0;
  std::int64_t held_out = 2000;
  std::string stop_metric = "auc-pr";
  std::int64_t patience = 0;
  std::int64_t evaluate_every = 20;
  std::int64_t valid_sample = 2000;
  std::int64_t mrr_every = 100;
  bool search = false;
  std::string calibration = "auto";
  bool with_facts = true;

  static void declare(OptionList<DecideOptions>& o) {
    o.add("negatives", &DecideOptions::negatives,
          "how negatives are sampled: random, any entity; ontology, entities that the relation has on that "
          "side; embedding, the highest-scoring entities of a random pool; or a weighted mixture, "
          "random:0.7,ontology:0.3");
    o.add("negatives_per_side", &DecideOptions::negatives_per_side,
          "negative tails per fact, and the same number of negative heads. More: more accurate, slower",
          {.min = 1, .max = 10'000});
    o.add("leave_out", &DecideOptions::leave_out,
          "ontology: share of the observed heads or tails that is excluded from sampling because it "
          "co-occurs most with the answer and may contain missing facts (the paper's authors use 0.1)",
          {.min = 0, .max = 0.99});
    o.add("pool_factor", &DecideOptions::pool_factor,
          "embedding: size of the random pool from which each negative is chosen. More: harder negatives, "
          "slower",
          {.min = 1, .max = 10'000});
    o.add("classifier", &DecideOptions::classifier, "kind of classifier to train",
          {.choices = {"boosting", "forest", "tree"}});
    o.add("engine", &DecideOptions::engine, "library that grows the trees",
          {.choices = {"native", "xgboost"}});
    o.add("objective", &DecideOptions::objective,
          "boosting: log-loss of each sample, or softmax of each query's fact against its negatives",
          {.choices = {"log-loss", "softmax"}});
    o.add("trees", &DecideOptions::trees,
          "number of trees per group; 0: no trees, the prior alone. More: better fit, slower, larger",
          {.min = 0, .max = 100'000});
    o.add("depth", &DecideOptions::depth, "maximum depth of a tree", {.min = 1, .max = 7});
    o.add("rate", &DecideOptions::rate, "boosting: learning rate (shrinkage of each tree's output)",
          {.min = 1e-6, .max = 10})
        .alias("lr")
        .alias("learning_rate");
    o.add("lambda", &DecideOptions::lambda, "L2 regularization of the leaf values", {.min = 0, .max = 1e9});
    o.add("gamma", &DecideOptions::gamma, "minimum gain of a split", {.min = 0, .max = 1e9});
    o.add("min_child_weight", &DecideOptions::min_child_weight,
          "minimum sum of second derivatives (hessian) in a child", {.min = 0, .max = 1e9});
    o.add("row_share", &DecideOptions::row_share, "share of the samples that each boosted tree is grown on",
          {.min = 0.001, .max = 1});
    o.add("column_share", &DecideOptions::column_share, "share of the features that each tree may use",
          {.min = 0.001, .max = 1});
    o.add("bins", &DecideOptions::bins, "number of bins per feature. More: finer splits, same size",
          {.min = 2, .max = 256});
    o.add("base_margin", &DecideOptions::base_margin,
          "boosting: start from a prior, fitted on the validation facts, that combines the embedding's score "
          "with how frequent head and tail are; the trees learn the rest");
    o.add("max_facts", &DecideOptions::max_facts,
          "maximum number of training facts per group, chosen by the seed; 0: all. Fewer: faster",
          {.min = 0, .max = 1e12});
    o.add("held_out", &DecideOptions::held_out,
          "validation facts per group whose samples are held out for learning curves and early stopping",
          {.min = 0, .max = 1e9});
    o.add("stop_metric", &DecideOptions::stop_metric,
          "metric for early stopping; valid-mrr keeps the number of trees (possibly none) that ranks the "
          "validation facts best and ignores --patience",
          {.choices = {"auc-pr", "loss", "valid-mrr"}});
    o.add("patience", &DecideOptions::patience,
          "stop boosting after this number of trees without a better stop metric; 0: never stop early",
          {.min = 0, .max = 100'000});
    o.add("evaluate_every", &DecideOptions::evaluate_every,
          "number of trees between two points of the learning curves; 0: no curves",
          {.min = 0, .max = 100'000});
    o.add("valid_sample", &DecideOptions::valid_sample,
          "number of validation facts that are ranked to measure the MRR; 0: none", {.min = 0, .max = 1e9});
    o.add("mrr_every", &DecideOptions::mrr_every,
          "number of trees between two measurements of the validation MRR, which are taken at points of the "
          "curves; 0: only at the end",
          {.min = 0, .max = 100'000});
    o.add("search", &DecideOptions::search,
          "search the paper's grid (depth 3, 5, 7; learning rate 0.05, 0.1, 0.2; 400 to 2,000 trees) and "
          "keep the settings that rank each group's validation facts best");
    o.add("calibration", &DecideOptions::calibration,
          "how scores (log-odds) become probabilities; fitted on validation queries, 2 * valid_sample per "
          "group: isotonic, any non-decreasing curve; platt, a logistic curve; auto, isotonic for groups "
          "with at least 300 facts and platt for the others; none, the plain logistic function",
          {.choices = {"auto", "isotonic", "platt", "none"}});
    o.add("with_facts", &DecideOptions::with_facts,
          "store the train and valid facts in the model, so that known answers can be left out. Without them "
          "the file is smaller");
  }

  void validate() const;  // throws kUsage where options contradict each other
  bool uses_base_margin() const { return base_margin && classifier == "boosting"; }
  bool stops_by_mrr() const { return stop_metric == "valid-mrr"; }
};

// What was tried for a group, and the valid MRR after so many trees.
struct SearchedSetting {
  std::int64_t depth = 0;
  double rate = 0;
  std::vector<std::int64_t> trees;
  std::vector<double> mrr;
  bool abandoned = false;  // it could not have become the best
};

struct DecidedGroup {
  std::vector<RelationId> relations;
  std::uint64_t facts = 0;  // learned from
  std::uint64_t samples = 0;
  std::uint64_t trees = 0;
  std::int64_t depth = 0;
  double rate = 0;
  double loss = -1;  // on training samples, in nats; -1: not measured, here and below
  double auc_pr = -1;
  double held_out_loss = -1;
  double held_out_auc_pr = -1;
  double valid_mrr = -1;
  std::uint64_t valid_queries = 0;
  double seconds = 0;
  std::vector<SearchedSetting> searched;
};

struct DecideResult {
  std::vector<DecidedGroup> groups;
  double valid_mrr = -1;  // filtered, on a sample; -1: not measured
  std::uint64_t bytes = 0;
  double seconds = 0;
};

struct DecideRun {
  std::filesystem::path features;  // from `greenkgc prune`
  std::filesystem::path out;
  std::filesystem::path trees = {};  // a folder of XGBoost models, as export_trees() makes them, to take
                                     // instead of learning; empty: learn
  bool resume = false;  // go on from the groups (and, with search, settings) that an interrupted run finished
  // Files of facts that are known to be false, for the model to hold beside those that the data have.
  std::vector<std::string> negatives = {};
};

// Learns a classifier for each group of relations from the train split and writes a model to `out`; appends
// to log.jsonl beside it. The same options and seed give the same bytes on one machine, for any number of
// threads. Throws kUsage for options that contradict each other.
GREENKGC_API DecideResult learn_decisions(const Dataset& dataset, const DecideOptions& options,
                                          const DecideRun& run, const Context& context);

// Writes the trees of a model as XGBoost's JSON models, one per group, into a folder: group-0.json, ..., and
// columns.tsv, which says what each of XGBoost's features is. Base margins are not part of them.
GREENKGC_API std::vector<std::filesystem::path> export_trees(const std::filesystem::path& model,
                                                             const std::filesystem::path& folder,
                                                             const Context& context);

}  // namespace greenkgc
