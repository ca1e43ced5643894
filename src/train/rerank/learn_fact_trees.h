#pragma once

#include <cstdint>
#include <span>

#include "greenkgc/context.h"
#include "model/fact_trees.h"
#include "rank/rankers/two_stage_ranker.h"

namespace greenkgc {

inline constexpr std::size_t kFactFolds = 3;

struct FactTreesPlan {
  std::uint64_t max_queries = 30'000;  // that are asked, chosen by the seed
  std::size_t trees = 140;             // of each fold, the same number by each source
  std::size_t depth = 4;
  double rate = 0.06;
  double lambda = 5;
  double min_child_weight = 5;
  double column_share = 0.4;
};

// Facts that both stages can be asked about as if they were new: the first stage has not learned from the
// held-out facts; list trees of a fold have not learned from those of the fold (model::fold_of_query).
struct HeldOutSource {
  const model::Decisions& decisions;
  const model::SecondStage& stage;  // its list trees, evidence and fact trees are not looked at
  std::span<const std::vector<trees::ListTree>> list_trees;  // one for each fold
  std::span<const Triple> evidence;                          // facts of the graph, without the held-out ones
  std::span<const Triple> held_out;                          // each once
};

struct FactTreesInput {
  std::span<const HeldOutSource> sources;  // at least one; the first has the stages of the model itself
  std::uint64_t missing;                   // how many facts are taken to be missing beside the held-out ones
  std::span<const Triple> negatives{};     // candidates that are known to be false; all others may be true
};

// Learns how probable facts are: asks queries of all kinds that `complete` asks, whether they have a missing
// answer or not, and grows trees that tell held-out facts from the other candidates. A query is asked in a
// graph that lacks the held-out facts of its fold and has all others. Without any held-out fact among the
// answers, the result is empty. The same for any number of threads.
model::FactTrees learn_fact_trees(const FactTreesInput& input, const FactTreesPlan& plan,
                                  const Context& context);

}  // namespace greenkgc
