#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/relation_ranges.h"
#include "greenkgc/context.h"
#include "model/decisions.h"
#include "trees/train/samples.h"

namespace greenkgc::decide {

// What base margins are made of.
struct BaseInputs {
  const kge::Embeddings& embeddings;    // of the group's dimensions
  const graph::RelationRanges& counts;  // of training facts
};

// Whether the samples' own facts are among those that were counted: then each is left out of the counts for
// its own samples, as it will be when a missing fact is asked for.
enum class OwnFact { kCounted, kNotCounted };

// By relation; none where there is nothing to tell.
using RelationBases = std::vector<std::optional<model::BaseMarginsBySide>>;

// For each side the weights under which facts and false answers on that side are told apart best (logistic
// regression): first of all samples together, then of each relation's own, held to the former by a penalty,
// so that a relation with few samples has nearly the same as all, and one without any the same. `relations`
// get a base margin. Samples should come from facts that the embedding has not seen: on its own training
// facts the score's weight comes out several times too large. A side without false answers has weights 0.
// Leaves `self` at 0.
RelationBases fit_base_margins(const trees::Samples& samples, std::span<const RelationId> relations,
                               const BaseInputs& inputs, const Context& context);

// By relation the log of the share of facts whose head is their tail, as seen among `facts`: what such an
// answer adds to its margin. Distances rank the known entity first wherever a relation is nearly its own
// inverse; few relations hold between an entity and itself.
std::vector<float> self_terms(std::span<const Triple> facts, std::uint32_t relation_count);

// One margin per sample: of false heads as answers to the question for the head, of false tails to that for
// the tail. The fact answers both questions and has the mean of its two margins. All relations of the samples
// must have a base.
std::vector<float> base_margins(const trees::Samples& samples, const BaseInputs& inputs,
                                const RelationBases& bases, OwnFact own, const Context& context);

}  // namespace greenkgc::decide
