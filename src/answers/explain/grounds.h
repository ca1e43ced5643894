#pragma once

#include <optional>

#include "greenkgc/model.h"

namespace greenkgc::answers {

// What the known facts say about a fact, which has its score by all stages. At most `most` pieces of
// evidence. Nothing if the model reads no evidence. Ids are in range.
std::optional<Grounds> grounds_of(const Model& model, const Answer& answer, std::size_t most,
                                  const Context& context);

}  // namespace greenkgc::answers
