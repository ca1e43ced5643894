#include <algorithm>

#include "answers/check_ids.h"
#include "graph/known_facts.h"
#include "greenkgc/facts.h"

namespace greenkgc {

FactsAround facts_around(const Model& model, EntityId entity, std::size_t limit, const Context& context) {
  check_id(model, entity);
  const graph::KnownFacts& known = model.known_facts(context);
  const graph::Edges out = known.out_edges(entity);
  const graph::Edges in = known.in_edges(entity);
  const auto loops = static_cast<std::size_t>(std::count(in.others.begin(), in.others.end(), entity));

  FactsAround around{.as_head = out.others.size(), .as_tail = in.others.size() - loops};
  const std::size_t half = limit / 2;
  // What one direction leaves of its half, the other may have.
  const std::size_t tails = std::min(around.as_tail, std::max(half, limit - std::min(limit, around.as_head)));
  const std::size_t heads = std::min(around.as_head, limit - tails);
  for (std::size_t i = 0; i < heads; ++i) around.facts.push_back({entity, out.relations[i], out.others[i]});
  for (std::size_t i = 0; i < in.others.size() && around.facts.size() < heads + tails; ++i) {
    if (in.others[i] != entity) around.facts.push_back({in.others[i], in.relations[i], entity});
  }
  return around;
}

std::vector<Triple> known_answers(const Model& model, const Question& question, const Context& context) {
  check_question(model, question);
  const graph::KnownFacts& known = model.known_facts(context);
  std::vector<Triple> facts;
  if (question.tail == kNoEntity) {
    for (const EntityId tail : known.tails(question.head, question.relation))
      facts.push_back({question.head, question.relation, tail});
  } else if (question.head == kNoEntity) {
    for (const EntityId head : known.heads(question.relation, question.tail))
      facts.push_back({head, question.relation, question.tail});
  } else {
    for (std::uint32_t r = 0; r < model.relation_count(); ++r) {
      const Triple fact{question.head, RelationId{r}, question.tail};
      if (known.contains(fact)) facts.push_back(fact);
    }
  }
  return facts;
}

bool holds_fact(const Model& model, const Triple& fact, const Context& context) {
  check_id(model, fact.head);
  check_id(model, fact.relation);
  check_id(model, fact.tail);
  return model.known_facts(context).contains(fact);
}

}  // namespace greenkgc
