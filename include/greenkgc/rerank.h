#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"

namespace greenkgc {

// The second stage: trees over the candidates of each question, which read evidence from the graph beside the
// first stage's score.
struct RerankOptions {
  std::string labels = "heldout";
  double held_out_share = 0.1;
  std::int64_t max_questions = 30'000;
  bool links = true;
  std::int64_t list_size = 200;
  std::int64_t first_best = 100;
  std::string objective = "softmax";
  std::int64_t trees = 400;
  std::int64_t depth = 7;
  double rate = 0.1;
  double lambda = 30;
  double min_child_weight = 30;
  double list_share = 0.5;
  double column_share = 0.2;
  std::int64_t bins = 256;
  double early_share = 0.1;
  std::int64_t patience = 50;
  std::int64_t valid_sample = 2000;

  static void declare(OptionList<RerankOptions>& o) {
    o.add("labels", &RerankOptions::labels,
          "which facts the trees learn to rank: heldout, a share of train that is hidden from a separate "
          "first stage; valid, the validation facts",
          {.choices = {"heldout", "valid"}});
    o.add("held_out_share", &RerankOptions::held_out_share,
          "heldout: share of the training facts to hold out. More: more facts to learn from, but in a "
          "sparser graph",
          {.min = 0.001, .max = 0.5});
    o.add("max_questions", &RerankOptions::max_questions,
          "maximum number of queries to learn from, chosen by the seed; 0: all. Fewer: faster, less memory",
          {.min = 0, .max = 1e8});
    o.add("links", &RerankOptions::links,
          "use other facts between head and tail as evidence. FB15k-237 has no such facts for its validation "
          "and test pairs, so with this option a model learns a pattern that only that dataset rewards");
    o.add("list_size", &RerankOptions::list_size,
          "number of candidates per query to rerank. More: more accurate, slower", {.min = 1, .max = 10'000});
    o.add("first_best", &RerankOptions::first_best,
          "minimum number of these candidates that are the first stage's best; graph evidence proposes the "
          "others",
          {.min = 0, .max = 10'000});
    o.add("objective", &RerankOptions::objective,
          "softmax of each answer against the other candidates, or log-loss of each candidate",
          {.choices = {"softmax", "log-loss"}});
    o.add("trees", &RerankOptions::trees, "maximum number of trees. More: better fit, slower",
          {.min = 1, .max = 10'000});
    o.add("depth", &RerankOptions::depth, "maximum depth of a tree", {.min = 1, .max = 8});
    o.add("rate", &RerankOptions::rate, "learning rate (shrinkage of each tree's output)",
          {.min = 1e-6, .max = 10})
        .alias("lr")
        .alias("learning_rate");
    o.add("lambda", &RerankOptions::lambda, "L2 regularization of the leaf values", {.min = 0, .max = 1e9});
    o.add("min_child_weight", &RerankOptions::min_child_weight,
          "minimum sum of second derivatives (hessian) in a child", {.min = 0, .max = 1e9});
    o.add("list_share", &RerankOptions::list_share, "share of the queries that each tree is grown on",
          {.min = 0.001, .max = 1});
    o.add("column_share", &RerankOptions::column_share, "share of the features that each tree may use",
          {.min = 0.001, .max = 1});
    o.add("bins", &RerankOptions::bins, "number of bins per feature. More: finer splits",
          {.min = 2, .max = 256});
    o.add("early_share", &RerankOptions::early_share,
          "share of the queries to hold out for early stopping; 0: none, and all trees are kept",
          {.min = 0, .max = 0.5});
    o.add("patience", &RerankOptions::patience,
          "stop boosting after this number of trees without a lower loss on the held-out queries; 0: never "
          "stop early",
          {.min = 0, .max = 100'000});
    o.add("valid_sample", &RerankOptions::valid_sample,
          "number of validation facts for the MRR before and after reranking and for calibration; 0: none",
          {.min = 0, .max = 1e9});
  }

  void validate() const;  // throws kUsage where options contradict each other
};

struct RerankResult {
  std::string labels;
  std::uint64_t questions = 0;   // learned from
  std::uint64_t candidates = 0;  // of them
  double recall = 0;             // share of the answers that their question's list holds
  std::uint64_t features = 0;
  std::uint64_t rules = 0;
  std::uint64_t trees = 0;
  double list_mrr =
      -1;  // on the questions for early stopping, within lists; -1: not measured, here and below
  // Filtered by train and valid, on a sample of valid: without and with the second stage. With labels from
  // valid the second is not measured.
  double first_valid_mrr = -1;
  double valid_mrr = -1;
  double seconds = 0;
  std::uint64_t bytes = 0;
};

struct RerankRun {
  std::filesystem::path model;  // from `greenkgc decide`
  std::filesystem::path out;
  // Labels heldout: the folder of the first stage that has not seen the held-out facts. What is there of the
  // same data, options and seed is used; empty: `out`.heldout, which is removed at the end.
  std::filesystem::path heldout = {};
  bool measured = true;  // on valid, at the end
  // Files of facts that are known to be false, beside those that the data have; what they are is in
  // TrainOptions.
  std::vector<std::string> negatives = {};
};

// Learns the second stage of a model and writes both. The graph that evidence is read from is train; no
// answer of test is seen, and an answer that trees learn is no evidence for itself, nor was it seen by the
// first stage that scores it (docs/reranking.md). The same options and seed give the same bytes on one
// machine, for any number of threads. Throws kUsage for options that contradict each other, kBadInput if the
// model was learned from other data, or does not say how (labels heldout).
GREENKGC_API RerankResult learn_reranking(const Dataset& dataset, const RerankOptions& options,
                                          const RerankRun& run, const Context& context);

}  // namespace greenkgc
