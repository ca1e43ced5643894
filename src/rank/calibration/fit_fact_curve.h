#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fact_trees.h"

namespace greenkgc::rank {

// A candidate as trees that have not seen its query judge it.
struct JudgedFact {
  float sum;  // of leaves
  RelationId relation;
  bool held_out;
  bool known_false = false;  // otherwise, one that is not held out may still be true
};

// Fits the curve of fact trees, whose labeled_share is given: the ceiling, slope and offset of all relations,
// then an offset for each, which a normal prior draws towards 0. Relations without held-out facts among the
// candidates keep 0. By maximum likelihood and Fisher's scoring, in double, one candidate after another.
void fit_fact_curve(std::span<const JudgedFact> facts, std::uint32_t relations, model::FactTrees& trees);

}  // namespace greenkgc::rank
