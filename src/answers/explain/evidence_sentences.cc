#include "answers/explain/evidence_sentences.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace greenkgc::answers {
namespace {

using evidence::DirectedRelation;

bool is_backwards(DirectedRelation step) {
  return step == evidence::towards(undirected(step), graph::Side::kHead);
}

// "9 of 11 other pairs"
std::string share(const evidence::RuleCounts& counts, std::string_view noun) {
  return fmt::format("{} of {}", with_commas(counts.facts), count_of(counts.pairs, noun));
}

}  // namespace

Triple fact_of(EntityId from, DirectedRelation step, EntityId to) {
  if (is_backwards(step)) std::swap(from, to);
  return {from, undirected(step), to};
}

std::string EvidenceSentences::fact(const Triple& fact) const {
  return fmt::format("{} {} {}", model_.label(fact.head), model_.label(fact.relation),
                     model_.label(fact.tail));
}

std::string EvidenceSentences::relation() const {
  return std::string(model_.label(undirected(view_.relation())));
}

std::string EvidenceSentences::pattern(evidence::Slot attribute) const {
  const evidence::EvidenceGraph& graph = view_.graph();
  const DirectedRelation step = graph.relation(attribute);
  const std::string_view owner = model_.label(graph.owner(attribute));
  const std::string_view by = model_.label(undirected(step));
  return is_backwards(step) ? fmt::format("'... {} {}'", by, owner) : fmt::format("'{} {} ...'", owner, by);
}

std::string EvidenceSentences::examples(const evidence::AttributeWitness& witness) const {
  const std::size_t count = witness.examples.size();
  std::string text = count == witness.counts.facts ? ": " : ", such as ";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += i + 1 == count ? " and " : ", ";
    text += model_.label(witness.examples[i]);
  }
  return text + (witness.sampled ? " (counted on a sample)" : "");
}

std::string EvidenceSentences::path(const evidence::PathWitness& witness) const {
  std::string rule;
  std::string way;
  for (std::size_t i = 0; i < witness.body.size(); ++i) {
    rule += i > 0 ? ", then " : "";
    rule += is_backwards(witness.body[i]) ? "reverse of " : "";
    rule += model_.label(undirected(witness.body[i]));
    way += i > 0 ? ", " : "";
    way += fact(fact_of(witness.way[i], witness.body[i], witness.way[i + 1]));
  }
  return fmt::format("{} linked by '{}' {} of {}; here {}", share(witness.counts, "other sampled pair"), rule,
                     witness.counts.facts == 1 ? "is a fact" : "are facts", relation(), way);
}

std::string EvidenceSentences::attribute(const evidence::AttributeWitness& witness, EntityId tail) const {
  return fmt::format("{} with {} and a known {} {} {}{}", share(witness.counts, "other entity"),
                     pattern(witness.attribute), relation(), witness.counts.facts == 1 ? "has" : "have",
                     model_.label(tail), examples(witness));
}

std::string EvidenceSentences::mirror(const evidence::AttributeWitness& witness) const {
  return fmt::format("{} of {} with {} {} to {}{}", share(witness.counts, "other tail"), relation(),
                     pattern(witness.attribute), witness.counts.facts == 1 ? "belongs" : "belong",
                     model_.label(view_.known()), examples(witness));
}

std::string EvidenceSentences::base_rate(const evidence::RuleCounts& counts, EntityId tail) const {
  return fmt::format("{} with a known {} {} {}", share(counts, "other entity"), relation(),
                     counts.facts == 1 ? "has" : "have", model_.label(tail));
}

std::string EvidenceSentences::stands_above(const Rival& rival) const {
  return fmt::format("{} ranks above it, with probability {:.4f}{}", model_.label(rival.answer.fact.tail),
                     rival.answer.probability, rival.evidence ? ": " + rival.evidence->sentence : "");
}

std::string EvidenceSentences::stands_level(const Rival& rival) const {
  return fmt::format("no answer ranks above it, but some tie with it, such as {}",
                     model_.label(rival.answer.fact.tail));
}

std::string EvidenceSentences::stands_next(const Rival& rival) const {
  return fmt::format("no answer ranks above it; the next is {}, with probability {:.4f}",
                     model_.label(rival.answer.fact.tail), rival.answer.probability);
}

std::string EvidenceSentences::has_another(const Triple& known, const evidence::RuleCounts& single) const {
  return fmt::format("{} is already known, and {} with a known {} have only one", fact(known),
                     share(single, "entity"), relation());
}

std::string EvidenceSentences::nothing_speaks_for_it() {
  return "no rule and no property shared with other entities supports it beyond its base rate";
}

}  // namespace greenkgc::answers
