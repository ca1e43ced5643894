#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "greenkgc/ids.h"
#include "greenkgc/options.h"

namespace greenkgc {

// A fact with one part missing, which is what is asked for: kNoEntity or kNoRelation stands in its place.
struct Question {
  EntityId head = kNoEntity;
  RelationId relation = kNoRelation;
  EntityId tail = kNoEntity;
};

// A question's fact, completed.
struct Answer {
  Triple fact;
  float margin;        // log-odds before calibration; comparable within a group of relations
  double probability;  // that the fact holds, calibrated on validation data where the model says how
  bool known;          // it is one of the facts that the model holds
};

struct PredictOptions {
  std::int64_t top_k = 10;
  bool include_known = false;

  static void declare(OptionList<PredictOptions>& o) {
    o.add("top_k", &PredictOptions::top_k, "how many answers to a question; 0 is all",
          {.min = 0, .max = 1e9});
    o.add("include_known", &PredictOptions::include_known,
          "list facts that the model holds too, marked as known, instead of leaving them out");
  }
};

struct Neighbor {
  EntityId entity;
  double similarity;  // the cosine between the rows of both, in [-1, 1]
};

// What the splits of the trees that ask for one dimension of the features add to a fact's margin, by the part
// of the fact that they look at.
struct Contribution {
  std::uint32_t dimension = 0;  // of those that the model stores
  double head = 0;
  double relation = 0;
  double tail = 0;

  double total() const { return head + relation + tail; }
};

// What a margin begins with before any tree. Only `constant` counts in a model without base margins.
struct BaseParts {
  double constant = 0;
  double score = 0;       // of the embedding
  double head_count = 0;  // how often the relation was seen with the head, and with the tail
  double tail_count = 0;
};

// A known fact that differs from the explained one in its head or its tail alone.
struct SupportingFact {
  Triple fact;
  double similarity;  // of the two heads or tails, in the dimensions of the relation's group
};

// Why a fact has the margin that it has, which is base + trees_expected + all contributions, up to rounding.
struct Explanation {
  Answer answer;
  double tail_rank = 0;  // of the tail among all entities but other known tails, the mean over ties
  double head_rank = 0;
  BaseParts base;
  // The value of a tree's node is the mean of the leaves below it, each counted once. trees_expected is the
  // sum of the roots' values; each split on the way of the fact is credited with the change of value to its
  // child.
  double trees_expected = 0;
  std::vector<Contribution> contributions;  // the largest totals first, whatever their sign
  std::vector<SupportingFact> support;      // the most similar first; none in a model without facts
};

}  // namespace greenkgc
