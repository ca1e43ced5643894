#include "rank/binary_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace greenkgc::rank {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

void add_decisions(std::span<const JudgedTriple> judged, BinaryMetrics& metrics) {
  double right = 0;
  double found = 0;
  double decided = 0;
  for (const JudgedTriple& triple : judged) {
    metrics.facts += triple.is_fact ? 1 : 0;
    right += triple.decided == triple.is_fact ? 1 : 0;
    found += triple.decided && triple.is_fact ? 1 : 0;
    decided += triple.decided ? 1 : 0;
  }
  const auto facts = static_cast<double>(metrics.facts);
  metrics.accuracy = ratio(right, static_cast<double>(judged.size()));
  metrics.precision = ratio(found, decided);
  metrics.recall = ratio(found, facts);
  metrics.f1 = ratio(2 * found, decided + facts);
}

void add_losses(std::span<const JudgedTriple> judged, BinaryMetrics& metrics) {
  constexpr double kLeast = 1e-15;  // a probability of 0 for a fact must not cost everything
  double log_loss = 0;
  double brier = 0;
  for (const JudgedTriple& triple : judged) {
    const double missing = triple.is_fact ? 1 - triple.probability : triple.probability;
    log_loss -= std::log(std::max(1 - missing, kLeast));
    brier += missing * missing;
  }
  metrics.log_loss = ratio(log_loss, static_cast<double>(judged.size()));
  metrics.brier = ratio(brier, static_cast<double>(judged.size()));
}

// Triples of equal probability are taken together.
void add_areas(std::span<const JudgedTriple> judged, BinaryMetrics& metrics) {
  std::vector<JudgedTriple> sorted(judged.begin(), judged.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const JudgedTriple& a, const JudgedTriple& b) { return a.probability > b.probability; });
  double precision_area = 0;
  double roc_area = 0;
  double facts = 0;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    double here = 0;
    for (; end < sorted.size() && sorted[end].probability == sorted[begin].probability; ++end)
      here += sorted[end].is_fact ? 1 : 0;
    const double false_here = static_cast<double>(end - begin) - here;
    roc_area += false_here * (facts + here / 2);
    facts += here;
    precision_area += here * facts / static_cast<double>(end);
    begin = end;
  }
  const double others = static_cast<double>(sorted.size()) - facts;
  if (facts > 0) metrics.auc_pr = precision_area / facts;
  if (facts > 0 && others > 0) metrics.auc_roc = roc_area / facts / others;
}

}  // namespace

BinaryMetrics binary_metrics(std::span<const JudgedTriple> judged) {
  BinaryMetrics metrics;
  metrics.triples = judged.size();
  add_decisions(judged, metrics);
  add_losses(judged, metrics);
  add_areas(judged, metrics);
  return metrics;
}

Threshold best_threshold(std::span<const ValuedTriple> triples) {
  std::vector<ValuedTriple> sorted(triples.begin(), triples.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const ValuedTriple& a, const ValuedTriple& b) { return a.value < b.value; });
  double right = 0;  // if all are taken for facts
  for (const ValuedTriple& triple : sorted) right += triple.is_fact ? 1 : 0;
  Threshold best{sorted.front().value, right};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    right += sorted[i].is_fact ? -1 : 1;
    const bool last = i + 1 == sorted.size();
    if (right <= best.accuracy || (!last && sorted[i + 1].value == sorted[i].value)) continue;
    const double above =
        last ? std::nextafter(sorted[i].value, std::numeric_limits<double>::infinity()) : sorted[i + 1].value;
    const double middle = sorted[i].value + (above - sorted[i].value) / 2;
    best = {middle > sorted[i].value ? middle : above, right};
  }
  best.accuracy /= static_cast<double>(sorted.size());
  return best;
}

}  // namespace greenkgc::rank
