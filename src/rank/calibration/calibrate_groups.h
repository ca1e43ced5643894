#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "model/tree_scores.h"

namespace greenkgc::rank {

// The questions that some facts answer, both sides, each question once; so many at most, chosen by the seed.
// Not the questions of a sample of facts: that would prefer those with many answers, the more the smaller it
// is.
std::vector<graph::Query> sample_questions(std::span<const Triple> facts, std::uint64_t most,
                                           const Context& context);

struct CalibrationPlan {
  std::string method;       // isotonic, platt, auto or none
  std::uint64_t questions;  // for each group at most
};

// Gives each group its curve from margins to probabilities (docs/calibration.md), fitted on valid facts that
// train does not have. Groups without such facts get the curve of all groups together. Says so where there is
// no curve at all. Costs one ranking of the questions.
void calibrate(const graph::Dataset& data, const CalibrationPlan& plan, model::Decisions& decisions,
               const Context& context);

}  // namespace greenkgc::rank
