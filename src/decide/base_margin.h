#pragma once

#include <vector>

#include "decide/samples.h"
#include "graph/relation_ranges.h"
#include "greenkgc/context.h"
#include "model/decisions.h"

namespace greenkgc::decide {

// What base margins are made of.
struct BaseInputs {
  const model::Embeddings& embeddings;  // of the group's dimensions
  const graph::RelationRanges& counts;  // of training facts
};

// Whether the samples' own facts are among those that were counted: then each is left out of the counts for
// its own samples, as it will be when a missing fact is asked for.
enum class OwnFact { kCounted, kNotCounted };

// The weights under which facts and false answers are told apart best (logistic regression). Samples should
// come from facts that the embedding has not seen: on its own training facts the score's weight comes out
// several times too large. Without samples all weights are 0.
model::BaseMargin fit_base_margin(const Samples& samples, const BaseInputs& inputs, const Context& context);

// One margin per sample. False heads have the score of the head's query, where reciprocal relations make a
// difference; the fact itself and false tails that of the tail's.
std::vector<float> base_margins(const Samples& samples, const BaseInputs& inputs,
                                const model::BaseMargin& base, OwnFact own, const Context& context);

}  // namespace greenkgc::decide
