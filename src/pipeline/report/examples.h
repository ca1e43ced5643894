#pragma once

#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/model.h"

namespace greenkgc {

struct NewFact {
  std::string head;
  std::string relation;
  std::string tail;
  double probability;
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
  std::uint64_t questions = 0;  // that were asked for new facts
  std::vector<NewFact>
      new_facts;            // the most probable answers that the model does not hold, few for each relation
  ScoredQuestion question;  // one with several known answers, where there is one
};

// Asks questions (h, r, ?) of facts that the model holds, chosen by the seed, as many as take some seconds.
// Nothing for a model without facts.
ModelExamples make_examples(const Model& model, const Context& context);

// All candidates of (h, r, ?), best first.
ScoredQuestion score_all(const Model& model, EntityId head, RelationId relation, const Context& context);

}  // namespace greenkgc
