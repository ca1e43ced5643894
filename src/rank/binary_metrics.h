#pragma once

#include <span>

#include "greenkgc/score.h"

namespace greenkgc::rank {

// A triple whose truth is known, its probability, and what was decided about it.
struct JudgedTriple {
  double probability;
  bool is_fact;
  bool decided;
};

BinaryMetrics binary_metrics(std::span<const JudgedTriple> judged);

struct ValuedTriple {
  double value;  // a margin or a probability
  bool is_fact;
};

// What is at least `value` is taken for a fact.
struct Threshold {
  double value = 0;
  double accuracy = 0;
};
// The threshold of highest accuracy, halfway between two values; the lowest of several; the lowest value
// where all are best taken for facts. There is at least one triple, and values are finite.
Threshold best_threshold(std::span<const ValuedTriple> triples);

}  // namespace greenkgc::rank
