#pragma once

#include "greenkgc/model.h"

namespace greenkgc {

// What the known facts say about a fact, which has its margin by both stages. At most `most` pieces of
// evidence. The model has two stages. Ids are in range.
Grounds grounds_of(const Model& model, const Answer& answer, std::size_t most, const Context& context);

}  // namespace greenkgc
