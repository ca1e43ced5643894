#include "graph/known_facts.h"

#include <algorithm>

#include "base/progress.h"

namespace greenkgc::graph {

KnownFacts::KnownFacts(std::span<const std::span<const Triple>> parts, std::uint32_t entity_count,
                       const Context& context) {
  std::uint64_t facts = 0;
  for (const auto& part : parts) facts += part.size();
  ProgressTask progress(context, "indexing facts", facts, "facts");
  by_head_ = FactIndex<ByHead>(parts, entity_count, context);
  progress.set(facts / 2);
  by_tail_ = FactIndex<ByTail>(parts, entity_count, context);
  progress.set(facts);
}

bool KnownFacts::contains(const Triple& fact) const {
  const auto known = tails(fact.head, fact.relation);
  return std::binary_search(known.begin(), known.end(), fact.tail);
}

}  // namespace greenkgc::graph
