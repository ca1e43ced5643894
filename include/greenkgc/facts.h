#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/model.h"

namespace greenkgc {

// The facts of a model that have an entity as their head, then those that have it as their tail, each by
// relation and other end.
struct FactsAround {
  std::vector<Triple> facts;
  std::uint64_t as_head = 0;  // how many there are, listed or not
  std::uint64_t as_tail = 0;

  bool truncated() const { return facts.size() < as_head + as_tail; }
};

// At most `limit` of them, an equal share of both directions where both have enough. A fact from the entity
// to itself is listed once, and counted as one with it as head. Throws kUsage for an id out of range.
GREENKGC_API FactsAround facts_around(const Model& model, EntityId entity, std::size_t limit,
                                      const Context& context);

// The facts of the model that answer a question, in ascending order of the answer; none in a model without
// facts. Throws kUsage as Model::predict does.
GREENKGC_API std::vector<Triple> known_answers(const Model& model, const Question& question,
                                               const Context& context);

// Whether the model holds this fact.
GREENKGC_API bool holds_fact(const Model& model, const Triple& fact, const Context& context);

}  // namespace greenkgc
