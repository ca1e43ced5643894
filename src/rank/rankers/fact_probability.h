#pragma once

#include <span>
#include <vector>

#include "graph/query.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/calibration.h"
#include "model/decisions.h"

namespace greenkgc::rank {

// A fact, the score that a ranker gave it, and the side on which it was asked for.
struct ScoredFact {
  Triple fact;
  float score;
  graph::Side side = graph::Side::kTail;
};

// How probable facts are: the one place where a probability that a user sees is made. Today the calibration
// of the stage that gave the scores turns each of them into a probability by itself. It takes facts in bulk,
// with their queries, so that a probability may come to depend on more than the score.
//
// Of two answers to the same query, the one with the higher score is never less probable; searches for
// probable facts rely on it. Immutable; keeps references to the curves.
class FactProbability {
 public:
  // Scores of the first stage: each group of relations has its own curve.
  explicit FactProbability(const model::Decisions& decisions);
  // Scores of the second stage, which has one curve for all relations.
  explicit FactProbability(const model::Calibration& curve) : curves_{&curve} {}

  // One probability per fact.
  std::vector<double> of(std::span<const ScoredFact> facts, const Context& context) const;
  // Writes to `probabilities` instead, which has a place for each fact.
  void fill(std::span<const ScoredFact> facts, std::span<double> probabilities, const Context& context) const;

 private:
  // By relation, or a single one for all.
  std::vector<const model::Calibration*> curves_;
};

}  // namespace greenkgc::rank
