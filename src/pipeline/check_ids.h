#pragma once

#include "greenkgc/model.h"

namespace greenkgc {

// Throw kUsage if the model has no such entity or relation.
void check_id(const Model& model, EntityId id);
void check_id(const Model& model, RelationId id);

}  // namespace greenkgc
