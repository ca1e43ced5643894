#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
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
  std::string split = "test";
  std::string protocol = "filtered";
  std::int64_t sample = 0;

  static void declare(OptionList<EvaluateOptions>& o) {
    o.add("split", &EvaluateOptions::split, "the facts whose ends are asked for",
          {.choices = {"train", "valid", "test"}});
    o.add("protocol", &EvaluateOptions::protocol,
          "candidates: filtered, all entities but other known answers; raw, all entities; range, those "
          "outside the "
          "relation's training range last, the answer too; paper, those outside removed, the answer exempt",
          {.choices = {"filtered", "raw", "range", "paper"}});
    o.add("sample", &EvaluateOptions::sample, "ask for so many facts, chosen by the seed; 0: all of them",
          {.min = 0, .max = 1e12});
  }
};

struct RankMetrics {
  double mrr = 0;
  double mr = 0;
  double hits_at_1 = 0;
  double hits_at_3 = 0;
  double hits_at_10 = 0;
};

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

struct Evaluation {
  std::string protocol;  // "paper" is to be printed with the words "answer exempt"
  std::string split;
  double seconds = 0;
  SideMetrics sides;
  std::array<SideMetrics, 4> categories;   // by RelationCategory of train
  std::vector<RelationMetrics> relations;  // that have queries, in the order of ids
};

// Ranks the facts of a split with embeddings (`greenkgc embed`) or features (`greenkgc prune`: a query is
// scored by the dimensions that its relation's group keeps), whose rows are matched to the data by label.
GREENKGC_API Evaluation evaluate(const Dataset& dataset, const std::filesystem::path& model,
                                 const EvaluateOptions& options, const Context& context);

// As `greenkgc evaluate --json` prints it; what is not UTF-8 in labels becomes U+FFFD.
GREENKGC_API std::string evaluation_json(const Evaluation& evaluation, const Dataset& dataset);

}  // namespace greenkgc
