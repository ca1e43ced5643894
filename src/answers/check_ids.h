#pragma once

#include "greenkgc/model.h"

namespace greenkgc {

// Throw kUsage if the model has no such entity or relation.
void check_id(const Model& model, EntityId id);
void check_id(const Model& model, RelationId id);

// Throws kUsage if not exactly one part is missing, or the model does not have another.
void check_question(const Model& model, const Question& question);

}  // namespace greenkgc
