#pragma once

#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/model.h"

namespace greenkgc::report {

struct NewFact {
  std::string head;
  std::string relation;
  std::string tail;
  double probability;
  std::string reason;  // the best evidence for it; "" if the model weighs none
};

// All candidates of one question, best first.
struct ScoredQuestion {
  std::string head;
  std::string relation;
  std::vector<double> probabilities;
  std::vector<double> margins;
  std::vector<bool> known;  // whether the model holds it as a fact
};

// What a model says, for a reader who wants to see some of it.
struct ModelExamples {
  // The best of what complete() proposes within some seconds, few for each relation, without second values
  // for relations of which nearly all heads have one.
  std::vector<NewFact> new_facts;
  std::uint64_t sampled_heads = 0;  // they are facts of so many entities; 0: of all
  ScoredQuestion question;          // one with several known answers, where there is one
};

// Completes as many heads, and chooses a question (h, r, ?) among as many facts that the model holds, as take
// some seconds, by the seed. Nothing for a model without facts.
ModelExamples make_examples(const Model& model, const Context& context);

// All candidates of (h, r, ?), best first.
ScoredQuestion score_all(const Model& model, EntityId head, RelationId relation, const Context& context);

}  // namespace greenkgc::report
