#pragma once

#include <string>

#include "evidence/question_view.h"
#include "evidence/witnesses.h"
#include "greenkgc/model.h"

namespace greenkgc::answers {

// Evidence in words, with the model's labels as they are (any bytes), for one fact's question for its tail.
// Patterns such as '... borders Norway' stand for all that can take the place of the dots.
class EvidenceSentences {
 public:
  // Keeps references.
  EvidenceSentences(const Model& model, const evidence::QuestionView& view) : model_(model), view_(view) {}

  std::string path(const evidence::PathWitness& witness) const;
  std::string attribute(const evidence::AttributeWitness& witness, EntityId tail) const;
  std::string mirror(const evidence::AttributeWitness& witness) const;

  std::string base_rate(const evidence::RuleCounts& counts, EntityId tail) const;
  std::string stands_above(const Rival& rival) const;
  std::string stands_level(const Rival& rival) const;
  std::string stands_next(const Rival& rival) const;
  std::string has_another(const Triple& known, const evidence::RuleCounts& single) const;
  static std::string nothing_speaks_for_it();

 private:
  std::string fact(const Triple& fact) const;
  std::string pattern(evidence::Slot attribute) const;
  std::string examples(const evidence::AttributeWitness& witness) const;
  std::string relation() const;

  const Model& model_;
  const evidence::QuestionView& view_;
};

// A step from one entity to another, as the fact that it is.
Triple fact_of(EntityId from, evidence::DirectedRelation step, EntityId to);

}  // namespace greenkgc::answers
