#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/files/event_log.h"
#include "graph/vocabulary.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"
#include "train/rerank/candidate_pairs.h"

namespace greenkgc {

// How well each feature of a candidate by itself tells answers from false candidates: what the graph says,
// what the first stage makes of all it knows, and each dimension of its embedding.
struct FeatureRanking {
  struct Feature {
    std::string name;
    std::string kind;  // graph, first_stage or embedding
  };
  std::vector<Feature> features;

  struct Part {
    PairCounts counts;
    std::vector<double> costs;  // one per feature, in bits: 1 tells nothing, 0 all
  };
  Part all;
  struct RelationPart : Part {
    RelationId relation;
  };
  std::vector<RelationPart>
      relations;  // with at least 20 answers and 20 false candidates, in the order of ids
};

// `evidence` names the features of the pairs, `first` is the first stage that they come from. Without pairs,
// all is empty. The same bits for any number of threads.
FeatureRanking rank_features(const SampledPairs& sampled, std::span<const std::string> evidence,
                             const model::Decisions& first, const Context& context);

// Writes `rerank.discriminant`, with all costs and the names of the best, and for each relation a
// `rerank.discriminant.relation`; nothing if nothing was tested.
void log_ranking(const FeatureRanking& ranking, const graph::Vocabulary& relations, const EventLog& log);

}  // namespace greenkgc
