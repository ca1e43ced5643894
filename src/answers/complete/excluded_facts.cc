#include "answers/complete/excluded_facts.h"

#include <array>
#include <vector>

#include "graph/io/fact_list.h"
#include "model/model_file.h"

namespace greenkgc::answers {

graph::KnownFacts read_excluded_facts(const Model& model, std::span<const std::string> files,
                                      const Context& context) {
  const auto find = [&](std::string_view head, std::string_view relation,
                        std::string_view tail) -> std::optional<Triple> {
    const auto h = model.find_entity(head);
    const auto r = model.find_relation(relation);
    const auto t = model.find_entity(tail);
    return h && r && t ? std::optional(Triple{*h, *r, *t}) : std::nullopt;
  };
  std::vector<Triple> facts = model.impl().negatives.read();
  for (const std::string& file : files) {
    const std::vector<Triple> own = graph::read_fact_list(file, find, context);
    facts.insert(facts.end(), own.begin(), own.end());
  }
  const std::array<std::span<const Triple>, 1> parts = {facts};
  return {parts, model.entity_count(), context};
}

}  // namespace greenkgc::answers
