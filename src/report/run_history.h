#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greenkgc/prune.h"
#include "rank/evaluate/evaluation_reader.h"

namespace greenkgc::report {

// What a run's folder tells of it: of the last run of each stage, whatever ran before. A number that was not
// measured is -1.

struct EmbedPoint {
  double epoch;
  double loss;
  double valid_mrr;
};

struct DecidePoint {
  double trees;
  double loss;
  double auc_pr;
  double held_out_loss;
  double held_out_auc_pr;
  double valid_mrr;
};

struct PruneHistory {
  struct Group {
    std::uint64_t relations = 0;
    std::uint64_t facts = 0;
    std::uint64_t kept = 0;
    std::vector<double> costs;             // by dimension
    std::vector<double> sorted_selection;  // what the selector went by
    CostHistogram best;
    CostHistogram worst;
  };
  std::vector<Group> groups;
  std::string selector;
  std::vector<double> mean_costs;  // by number of groups, from 1
  std::uint64_t keep_dims = 0;
  std::uint64_t union_dims = 0;
};

struct DecideHistory {
  struct Group {
    std::uint64_t facts = 0;
    std::uint64_t samples = 0;
    std::uint64_t trees = 0;
    double valid_mrr = -1;
    double seconds = 0;
    std::vector<DecidePoint> curve;  // of the setting that was kept
  };
  std::vector<Group> groups;
};

// The discriminant feature test of candidates' features: costs in bits, lower is better.
struct DiscriminantHistory {
  struct Feature {
    std::string name;
    double cost = 0;
  };
  template <class Value>
  struct ByKind {
    Value graph;
    Value first_stage;
    Value embedding;
  };
  struct Rows {
    std::uint64_t questions = 0;
    std::uint64_t answers = 0;
    std::uint64_t false_candidates = 0;
  };
  struct Relation {
    std::string name;
    Rows rows;
    ByKind<std::vector<Feature>> best;  // of each kind the best first; a kind may have none
  };
  Rows rows;
  std::uint64_t relation_count = 0;                   // of the graph
  std::vector<std::pair<std::string, Feature>> best;  // of all, with their kind, best first
  ByKind<std::vector<double>> costs;                  // ascending
  std::vector<Relation> relations;
};

// What log.jsonl of a folder says.
struct StageLog {
  std::vector<EmbedPoint> embed;
  PruneHistory prune;
  DecideHistory decide;
  DiscriminantHistory discriminant;
};

// Reads `folder`/log.jsonl; an empty log if there is none. A last line that was cut off is left out. Throws
// kCorrupt, with path and line, for a line that is none of ours.
StageLog read_stage_log(const std::filesystem::path& folder);

struct RunStage {
  std::string name;
  bool finished = false;
  double seconds = 0;
  std::string output;       // its file in the folder
  std::uint64_t bytes = 0;  // 0: not there
};

struct MeasuredOutput {
  std::string of;  // file in the folder
  std::uint64_t bytes = 0;
  rank::ReadEvaluation measured;
};

using Settings = std::vector<std::pair<std::string, std::string>>;  // name and value, as config.toml has them

struct RunHistory {
  std::filesystem::path folder;
  std::string name;       // of the folder
  std::string data;       // what it was trained on
  std::string data_hash;  // of labels, training and validation facts
  std::string preset;
  std::string version;
  std::vector<RunStage> stages;  // that began, in their order
  StageLog log;
  std::vector<MeasuredOutput> metrics;
  std::optional<CompletionReport> completion;             // by the model, of test facts
  std::vector<std::pair<std::string, Settings>> options;  // by table of config.toml; "" has the seed

  double seconds() const;
  bool finished() const;
  bool two_stages() const;
  // That wrote model.gkgc, or is to; null if none did.
  const RunStage* model_stage() const;
  // Of model.gkgc, on test; null if there is none.
  const MeasuredOutput* test_of_model(std::string_view protocol) const;
};

// Throws kUsage if the folder holds no run, kCorrupt for files that are none of ours.
RunHistory read_run(const std::filesystem::path& folder);

}  // namespace greenkgc::report
