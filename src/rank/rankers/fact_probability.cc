#include "rank/rankers/fact_probability.h"

namespace greenkgc::rank {

FactProbability::FactProbability(const model::Decisions& decisions) {
  for (const std::uint32_t group : decisions.group_of)
    curves_.push_back(&decisions.groups[group].calibration);
}

void FactProbability::fill(std::span<const ScoredFact> facts, std::span<double> probabilities,
                           const Context& /*context*/) const {
  const bool one_curve = curves_.size() == 1;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const model::Calibration& curve = *curves_[one_curve ? 0 : index(facts[i].fact.relation)];
    probabilities[i] = curve.probability(static_cast<double>(facts[i].score));
  }
}

std::vector<double> FactProbability::of(std::span<const ScoredFact> facts, const Context& context) const {
  std::vector<double> probabilities(facts.size());
  fill(facts, probabilities, context);
  return probabilities;
}

}  // namespace greenkgc::rank
