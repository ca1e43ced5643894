#pragma once

#include <cstdint>
#include <string>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "rank/tree_scores.h"

namespace greenkgc {

// The questions that some facts answer, both sides, each question once, in the order of the facts.
std::vector<rank::EntityQuery> questions_of(std::span<const Triple> facts);

struct CalibrationPlan {
  std::string method;   // isotonic, platt, auto or none
  std::uint64_t facts;  // of valid, for each group at most; chosen by the seed
};

// Gives each group its curve from margins to probabilities (docs/calibration.md), fitted on valid facts that
// train does not have. Groups without such facts get the curve of all groups together. Says so where there is
// no curve at all. Costs one ranking of the questions.
void calibrate(const graph::Dataset& data, const CalibrationPlan& plan, model::Decisions& decisions,
               const Context& context);

}  // namespace greenkgc
