#include "train/negatives/known_negatives.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "graph/io/fact_list.h"
#include "graph/known_facts.h"

namespace greenkgc {

std::vector<Triple> known_negatives(const graph::Dataset& data, const VisibleSplits& splits,
                                    std::span<const std::string> files, const Context& context) {
  std::vector<Triple> negatives;
  for (const Split split : splits.negatives)
    negatives.insert(negatives.end(), data[split].triples.begin(), data[split].triples.end());
  for (const std::string& file : files) {
    const std::vector<Triple> own = graph::read_fact_list(file, data, context);
    negatives.insert(negatives.end(), own.begin(), own.end());
  }
  if (negatives.empty()) return negatives;
  std::sort(negatives.begin(), negatives.end());
  negatives.erase(std::unique(negatives.begin(), negatives.end()), negatives.end());
  std::vector<std::span<const Triple>> parts;
  for (const Split split : splits.facts) parts.push_back(data[split].triples);
  const graph::KnownFacts facts(parts, data.entities.size(), context);
  const auto both = std::erase_if(negatives, [&](const Triple& fact) { return facts.contains(fact); });
  if (both > 0)
    context.say(LogLevel::kWarning,
                fmt::format("{} known to be false by one file and true by another; taken to be true",
                            count_of(both, "fact")));
  return negatives;
}

}  // namespace greenkgc
