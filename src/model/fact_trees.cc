#include "model/fact_trees.h"

#include <algorithm>
#include <cmath>

namespace greenkgc::model {
namespace {

constexpr double kLeast = 1e-9;
constexpr double kHighestShare = 0.955;  // of the ceiling

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

std::size_t fold_of_query(EntityId head, RelationId relation, std::size_t folds) {
  std::uint64_t x = (std::uint64_t{index(head)} << 32 | index(relation)) + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;  // splitmix64
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (x ^ (x >> 31)) % folds;
}

double FactTrees::evidence(float sum) const {
  const auto top = static_cast<double>(ceiling);
  const double v = std::clamp(logistic(static_cast<double>(sum)), kLeast, kHighestShare * top);
  return std::log(v / (top - v));
}

double FactTrees::probability(float sum, RelationId relation) const {
  const float own = relation_offsets.empty() ? 0 : relation_offsets[index(relation)];
  const double was_missing =
      logistic(static_cast<double>(slope) * evidence(sum) + static_cast<double>(offset + own));
  // Of those that were missing, the known ones are facts now, and the others still are missing.
  const auto labeled = static_cast<double>(labeled_share);
  const double still = (1 - labeled) * was_missing / (1 - labeled * was_missing);
  return std::clamp(still, kLeast, 1 - kLeast);
}

double at_missing_share(double probability, double from, double to) {
  if (from == to) return probability;
  const double odds = probability / (1 - probability) * (to / (1 - to)) / (from / (1 - from));
  return odds / (1 + odds);
}

}  // namespace greenkgc::model
