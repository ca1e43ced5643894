#pragma once

#include <vector>

#include "evidence/question_view.h"
#include "evidence/rules.h"

namespace greenkgc::evidence {

// What speaks for one answer to a question, as counts and known facts that a person can look up. Nothing
// counts the left-out fact. Work is bounded at hubs as in the families.

// A rule whose body links the known entity to the answer.
struct PathWitness {
  std::vector<DirectedRelation> body;
  RuleCounts counts;          // of the rule, from known entities; other pairs than the left-out one
  std::vector<EntityId> way;  // one of those that the body takes, no entity twice: known entity to answer
};

// An attribute of the known entity that others share.
struct AttributeWitness {
  Slot attribute;
  RuleCounts counts;               // pairs: other holders that have some answer; facts: that have this one
  bool sampled = false;            // not all holders were asked
  std::vector<EntityId> examples;  // the first few that have it
};

// Both give the most confident first, and none whose counts have no fact. Rules of length 1 only with
// `links`. Attributes that are a fact between the known entity and the answer are no witnesses.
std::vector<PathWitness> path_witnesses(const QuestionView& view, const RuleSet& rules, bool links,
                                        EntityId answer);
std::vector<AttributeWitness> attribute_witnesses(const QuestionView& view, EntityId answer);

// How common the answer is: entities other than the known one that have some answer, and that have this one.
RuleCounts base_counts(const QuestionView& view, EntityId answer);

// Of entities that have some answer, counted over a sample: how many have no second one.
RuleCounts single_counts(const QuestionView& view);

}  // namespace greenkgc::evidence
