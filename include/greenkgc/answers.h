#pragma once

#include <cstdint>
#include <optional>
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
    o.add("top_k", &PredictOptions::top_k, "number of answers per query; 0: all", {.min = 0, .max = 1e9});
    o.add("include_known", &PredictOptions::include_known,
          "include the facts that the model already knows, marked as known, instead of leaving them out");
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
  double self = 0;  // where head and tail are the same entity
};

// A known fact that differs from the explained one in its head or its tail alone.
struct SupportingFact {
  Triple fact;
  double similarity;  // of the two heads or tails, in the dimensions of the relation's group
};

enum class EvidenceKind : std::uint8_t {
  kPath,       // known facts lead from the head to the tail by relations that often predict this one
  kAttribute,  // others that share something with the head have the same tail
  kMirror,     // others that share something with the tail belong to the same head
};

// Something in the known facts, without the explained one, that speaks for an answer.
struct Evidence {
  EvidenceKind kind;
  std::uint64_t holds = 0;  // of `of` other cases like this one, so many are facts
  std::uint64_t of = 0;
  bool sampled = false;  // the cases are a sample, as those of paths always are
  // holds / of, drawn towards 0 where cases are few.
  double confidence = 0;
  // What it rests on. A path: its facts, from the head to the tail. Else the fact that is shared, then facts
  // of others that share it.
  std::vector<Triple> facts;
  std::string sentence;  // all of that in words
};

// Another answer to the question for the tail, and the best evidence for it, if there is any.
struct Rival {
  Answer answer;
  std::optional<Evidence> evidence;
};

// What the known facts say about a fact, in sentences without a full stop.
struct Grounds {
  std::vector<Evidence> evidence;  // for it, the most confident first
  std::string base_rate;           // how common the tail is anyway; evidence is what is above that
  std::vector<Rival> rivals;  // the best that stand above it, best first; else the one next to it, if any
  std::vector<std::string> against;
};

// How one stage judges a fact.
struct Standing {
  float margin = 0;
  double probability = 0;
  double tail_rank = 0;  // of the tail among all entities but other known tails, the mean over ties
  double head_rank = 0;
};

// Why a fact has the margin that it has. That of the first stage is base + trees_expected + all
// contributions, up to rounding.
struct Explanation {
  Answer answer;  // as predict and score have it, by all stages; a known fact is no evidence for itself
  double tail_rank = 0;
  double head_rank = 0;
  std::optional<Grounds> grounds;  // in a model with a second stage

  Standing first;  // by the first stage alone
  BaseParts base;
  // The value of a tree's node is the mean of the leaves below it, each counted once. trees_expected is the
  // sum of the roots' values; each split on the way of the fact is credited with the change of value to its
  // child.
  double trees_expected = 0;
  std::vector<Contribution> contributions;  // the largest totals first, whatever their sign
  std::vector<SupportingFact> support;      // the most similar first; none in a model without facts
};

}  // namespace greenkgc
