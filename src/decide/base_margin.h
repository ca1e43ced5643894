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

// For each side the weights under which facts and false answers on that side are told apart best (logistic
// regression). Samples should come from facts that the embedding has not seen: on its own training facts the
// score's weight comes out several times too large. A side without false answers has weights 0.
model::BaseMarginsBySide fit_base_margin(const Samples& samples, const BaseInputs& inputs,
                                         const Context& context);

// One margin per sample: of false heads as answers to the question for the head, of false tails to that for
// the tail. The fact answers both questions and has the mean of its two margins.
std::vector<float> base_margins(const Samples& samples, const BaseInputs& inputs,
                                const model::BaseMarginsBySide& base, OwnFact own, const Context& context);

}  // namespace greenkgc::decide
