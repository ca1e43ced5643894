#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"
#include "greenkgc/stats.h"

namespace greenkgc {

struct EvaluateOptions {
  std::string task = "ranking";
  std::string split = "test";
  std::string protocol = "filtered";
  bool self_answers = true;
  std::int64_t sample = 0;
  std::int64_t calibration_sample = 2000;
  std::int64_t sample_heads = 0;
  bool skip_unknown = false;

  static void declare(OptionList<EvaluateOptions>& o) {
    o.add(
        "task", &EvaluateOptions::task,
        "what is measured: ranking, where the right answers to queries rank; completion, how many of the "
        "facts that `complete` proposes are facts of the split (models only, which must not know that split)",
        {.choices = {"ranking", "completion"}});
    o.add("split", &EvaluateOptions::split, "split whose facts are ranked, or hidden facts of a completion",
          {.choices = {"train", "valid", "test"}});
    o.add("protocol", &EvaluateOptions::protocol,
          "which candidates are ranked: filtered, all entities except other known answers; raw, all "
          "entities; range, entities that the relation does not have on that side in train come last, the "
          "answer included; paper, these entities are removed, except the answer",
          {.choices = {"filtered", "raw", "range", "paper"}});
    o.add("self_answers", &EvaluateOptions::self_answers,
          "rank the entity that the query names as a candidate too, as the protocols do; without it the task "
          "is easier for relations that never link an entity with itself");
    o.add("sample", &EvaluateOptions::sample, "number of facts to rank, chosen by the seed; 0: all",
          {.min = 0, .max = 1e12});
    o.add(
        "calibration_sample", &EvaluateOptions::calibration_sample,
        "models: number of queries, chosen by the seed, for comparing probabilities with the truth; 0: none",
        {.min = 0, .max = 1e12});
    o.add("sample_heads", &EvaluateOptions::sample_heads,
          "completion: number of entities, chosen by the seed, that are completed as heads; 0: all, which "
          "takes as long as `complete`",
          {.min = 0, .max = 1e12});
    o.add("skip_unknown", &EvaluateOptions::skip_unknown,
          "models, for facts other than their training data: skip facts with labels that the model does not "
          "know, and count them");
  }
};

struct RankMetrics {
  double mrr = 0;
  double mr = 0;
  double hits_at_1 = 0;
  double hits_at_3 = 0;
  double hits_at_10 = 0;
};

// The metrics, as JSON and tables have them.
struct RankMetric {
  const char* key;
  const char* heading;
  int digits;  // behind the point
  double RankMetrics::*value;
};
GREENKGC_API std::span<const RankMetric> rank_metrics();

// How ties count: realistic is the mean of the best and the worst rank that the ties allow, and the one to
// quote.
struct TieMetrics {
  std::uint64_t queries = 0;
  RankMetrics realistic;
  RankMetrics optimistic;
  RankMetrics pessimistic;
  double mrr_standard_error = 0;  // of the realistic MRR, over queries
};

struct SideMetrics {
  TieMetrics both;
  TieMetrics head;  // asked for the head
  TieMetrics tail;
};

struct RelationMetrics {
  RelationId relation;
  SideMetrics sides;
};

// Candidates whose probability is in [from, to).
struct ReliabilityBin {
  double from = 0;
  double to = 0;
  std::uint64_t candidates = 0;
  std::uint64_t facts = 0;  // of them
  double predicted = 0;     // mean probability
  double observed = 0;      // share of facts
};

struct Reliability {
  std::uint64_t candidates = 0;
  std::uint64_t facts = 0;
  double expected_calibration_error = 0;  // |predicted - observed|, weighed by the candidates of each bin
  std::vector<ReliabilityBin> bins;       // by ascending probability; some may be empty
};

// Whether probabilities are what they say (docs/calibration.md). Candidates count as facts if the asked split
// has them and no other split does; those that another split has are left out; those that no split has count
// as false.
struct CalibrationReport {
  std::uint64_t questions = 0;
  Reliability top;  // the ten best answers of each question: what people see
  Reliability all;  // all candidates
};

// How many of the facts that a model proposes are among hidden facts.
struct CompletionFigures {
  std::uint64_t hidden = 0;
  std::uint64_t proposals = 0;
  double r_precision = 0;        // share of the hidden facts among as many first proposals
  double average_precision = 0;  // area below precision and recall; hidden facts never proposed count 0
  double recall = 0;             // share of the hidden facts that are proposed at all
  // Of the proposals with a probability of at least 0.9, and 0.5: their number, and the share that is hidden.
  std::uint64_t n_90 = 0;
  std::optional<double> precision_90;
  std::uint64_t n_50 = 0;
  std::optional<double> precision_50;
};

struct RelationCompletion {
  RelationId relation = kNoRelation;  // of the model
  std::string label;
  CompletionFigures figures;  // of its own proposals and hidden facts; shares are 0 if none is hidden
};

// How well `complete` finds facts that the model does not know. A proposal that is not hidden counts as
// false, so unless everything true is written down, the figures are lower bounds.
struct CompletionReport {
  std::string split;  // that has the hidden facts; "all": facts of a single file
  CompletionFigures all;
  // The mean of |predicted - observed| over ten equal bins of probability, weighted by their proposals: over
  // the first proposals, twice as many as are hidden, and over all of them.
  double calibration_error = 0;
  double calibration_error_all = 0;
  // Share of the first proposals, as many as are hidden, that are false and give a second value to a relation
  // of which nine heads in ten have one.
  double second_values = 0;
  std::vector<ReliabilityBin> bins;           // the ten, over all proposals
  std::vector<RelationCompletion> relations;  // that have hidden facts or proposals; most hidden first
  std::uint64_t sampled_heads = 0;            // only facts of so many entities were completed; 0: of all
  double seconds = 0;
};

// In one sentence, what to say with every such figure.
GREENKGC_API std::string_view completion_caveat();

// The size of a model. Parameters are counted as the paper's tables do: for each entity and relation its
// variables in every dimension that some group keeps; and for the trees, of which the paper gives only a sum,
// two for a split (feature and threshold) and one for a leaf, and ten for the base margins of a relation. A
// second stage counts its trees in the same way, its rules (their steps and two confidences each) and the
// weights of its learned walks.
// With the paper's settings (128 dimensions of TransE, 5 * 1,200 full trees of depth 5) that makes 2.46 M for
// FB15k-237; the paper says 2.42 M.
struct ModelFigures {
  std::uint64_t entity_parameters = 0;
  std::uint64_t relation_parameters = 0;
  std::uint64_t tree_parameters = 0;  // of the first stage
  std::uint64_t second_stage_parameters = 0;
  std::uint64_t bytes = 0;         // of the file
  std::uint64_t memory_bytes = 0;  // estimated, for ranking the queries

  std::uint64_t parameters() const {
    return entity_parameters + relation_parameters + tree_parameters + second_stage_parameters;
  }
};

struct Evaluation {
  std::string protocol;      // "paper" is to be printed with the words "answer exempt"
  bool self_answers = true;  // where not, to be printed with the protocol
  std::string split;
  double seconds = 0;            // of everything
  double inference_seconds = 0;  // of ranking alone, without reading
  SideMetrics sides;
  std::array<SideMetrics, 4> categories;   // by RelationCategory of train
  std::vector<RelationMetrics> relations;  // that have queries, in the order of ids
  std::optional<ModelFigures> model;       // both of models alone
  std::optional<CalibrationReport>
      calibration;  // where calibration_sample is not 0; of two stages, not on train
  // Of models of two stages: where the second's labels come from ("heldout", "valid"; else empty), and
  // whether links between the ends of a fact are evidence. To be printed with each figure.
  std::string labels;
  bool links = false;
  std::optional<CompletionReport> completion;  // of that task, which has none of the ranks above
  // Of facts that are not those of the model's training data.
  std::uint64_t skipped = 0;  // facts with labels that the model does not know, left out on request

  double ms_per_query() const {
    return sides.both.queries == 0 ? 0 : 1e3 * inference_seconds / static_cast<double>(sides.both.queries);
  }
};

// Ranks the facts of a split with embeddings (`greenkgc embed`) or features (`greenkgc prune`: a query is
// scored by the dimensions that its relation's group keeps), whose rows are matched to the data by label; or
// with a model. Data whose labels are those that the model was learnt from, in their order, are taken as its
// training data. Other data are matched to the model by label: all facts of a single file are ranked, or the
// split of a folder; candidates are all entities of the model; known facts are those that the model holds and
// those of the data. Throws kBadInput, with the number of facts that have a label that the model does not
// know and the place of the first, unless they are to be skipped; kUsage if ranking needs more memory than
// the machine has.
// The task `completion` has a model propose facts, at least 20,000 and at least four times as many as are
// hidden, and looks for the facts of the split among them. Proposals that other splits have are left out.
// Throws kUsage for other files than models, and if the model knows all facts of the split.
GREENKGC_API Evaluation evaluate(const Dataset& dataset, const std::filesystem::path& model,
                                 const EvaluateOptions& options, const Context& context);

// As `greenkgc evaluate --json` prints it; what is not UTF-8 in labels becomes U+FFFD.
GREENKGC_API std::string evaluation_json(const Evaluation& evaluation, const Dataset& dataset);

}  // namespace greenkgc
