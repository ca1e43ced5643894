#pragma once

#include <span>
#include <vector>

#include "greenkgc/score.h"

namespace greenkgc::rank {

// A triple whose truth is known, with what a model makes of it.
struct ScoredTriple {
  RelationId relation;
  Score score;
  bool is_fact;
};

struct RelationWeights {
  RelationId relation;
  TruthWeights weights;
};

struct FittedWeights {
  std::vector<RelationWeights> relations;  // that the triples have, by id
  TruthWeights others;                     // for all other relations
};

// Fits the weights with which score and probability tell facts from the false triples that come with them,
// for each relation. There are both kinds of triples.
FittedWeights fit_truth_weights(std::span<const ScoredTriple> triples);

}  // namespace greenkgc::rank
