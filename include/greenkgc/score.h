#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/model.h"
#include "greenkgc/options.h"

namespace greenkgc {

// How well triples were told apart whose truth is known.
struct BinaryMetrics {
  std::uint64_t triples = 0;
  std::uint64_t facts = 0;  // of them
  double accuracy = 0;
  double precision = 0;  // 0 if nothing was taken for a fact
  double recall = 0;
  double f1 = 0;
  double auc_pr = -1;   // average precision, by probability; -1 without facts
  double auc_roc = -1;  // -1 unless there are both
  double log_loss = 0;  // in nats
  double brier = 0;     // mean squared error of the probability
};

// Joins margin and probability where the probability is no function of the margin: a triple is taken for a
// fact if value() is at least 0. That is the log-odds that it is true, among facts and false triples as valid
// mixes them.
struct GREENKGC_API TruthWeights {
  double offset = 0;
  double score = 0;     // of the margin
  double log_odds = 0;  // of log_odds_of()

  double value(const Score& triple) const {
    return offset + score * static_cast<double>(triple.margin) + log_odds * log_odds_of(triple);
  }
  static double log_odds_of(const Score& triple);  // of its probability; always finite
};

// A triple is taken for a fact if its margin is at least this, or where there are weights by these.
struct RelationThreshold {
  RelationId relation;  // of the model
  double margin = 0;
  double probability = 0;               // of that margin
  std::uint64_t triples = 0;            // of valid, by which it was chosen
  double accuracy = 0;                  // on them
  std::optional<TruthWeights> weights;  // of models whose trees judge facts
};

// Chosen on valid, to be right as often as possible.
struct Thresholds {
  // For relations that valid does not have: the weights if there are any, or else a probability.
  double probability = 0.5;
  std::optional<TruthWeights> weights;
  std::vector<RelationThreshold> relations;  // by id
};

// From the facts of valid and the false ones that come with it (valid_negatives). Throws kBadInput if there
// are none, or for labels that the model does not know.
GREENKGC_API Thresholds choose_thresholds(const Model& model, const Dataset& dataset, const Context& context);

struct RelationClassification {
  RelationId relation;  // of the model
  BinaryMetrics test;
};

struct ScoreOptions {
  std::string lines = "tsv";
  bool skip_unknown = false;
  double prior = 0;

  static void declare(OptionList<ScoreOptions>& o) {
    o.add("lines", &ScoreOptions::lines,
          "output format: tsv, head, relation, tail and probability; jsonl, one object per triple that also "
          "has the score (log-odds, key margin) and the label",
          {.choices = {"tsv", "jsonl"}});
    o.add("skip_unknown", &ScoreOptions::skip_unknown,
          "skip triples with labels that the model does not know, and count them");
    o.add(
        "prior", &ScoreOptions::prior,
        "shift the log-odds of all probabilities by one amount so that their mean is this share, as if that "
        "share of the lines were true; metrics are those of the shifted probabilities, and the order stays. "
        "Triple classification shifts those of valid and of test separately. All lines are read before the "
        "first is written, which takes about 30 bytes of memory for each. 0: no shift",
        {.min = 0, .max = 0.999999});
  }
};

struct Classification {
  Thresholds thresholds;
  BinaryMetrics valid;
  BinaryMetrics test;
  std::vector<RelationClassification> relations;  // that test has, by id
};

// Triple classification: tells the facts of test from the false ones that come with it (test_negatives), by
// thresholds from valid. With a prior, the probabilities that metrics are of are shifted, those of valid and
// of test separately, after triples were told apart. Throws as choose_thresholds.
GREENKGC_API Classification classify(const Model& model, const Dataset& dataset, const ScoreOptions& options,
                                     const Context& context);

struct ScoreReport {
  std::uint64_t scored = 0;
  std::uint64_t skipped = 0;             // for unknown labels
  std::optional<BinaryMetrics> metrics;  // of the lines with a label, if there are any
  double seconds = 0;
};

struct ScoreRun {
  std::filesystem::path triples;  // lines head, relation, tail and perhaps a label (1; 0 or -1), by tabs
  std::filesystem::path out;      // may be /dev/stdout
  const Thresholds* thresholds = nullptr;  // for labeled lines; null: a probability of at least 0.5
};

// Writes the probability of each triple, in the order of the lines. Memory is a block of lines, and 16 bytes
// for each line with a label. Throws kBadInput with file and line for a line that is none, or a label that
// the model does not know.
GREENKGC_API ScoreReport score_file(const Model& model, const ScoreRun& run, const ScoreOptions& options,
                                    const Context& context);

}  // namespace greenkgc
