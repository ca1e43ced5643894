#include "train/validation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/permutation.h"
#include "base/random.h"
#include "greenkgc/error.h"
#include "rank/metrics.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kValidationSampleStream = 5;

bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

void check_not_diverged(const kge::Embeddings& embeddings) {
  if (all_finite(embeddings.entities) && all_finite(embeddings.relations)) return;
  throw Error(ErrorCode::kUsage,
              "training has diverged: some values are no longer finite; use a lower learning rate");
}

Validation::Validation(const graph::Dataset& data, std::uint64_t facts, const Context& context)
    : known_(std::array<std::span<const Triple>, 2>{data[Split::kTrain].triples, data[Split::kValid].triples},
             data.entities.size(), context) {
  const auto& valid = data[Split::kValid].triples;
  const std::uint64_t size = std::min<std::uint64_t>(valid.size(), facts);
  if (size == 0) return;
  const Permutation order(valid.size(), CounterRandom(context.seed, kValidationSampleStream), 0);
  for (std::uint64_t i = 0; i < size; ++i) {
    const Triple& fact = valid[order(i)];
    queries_.push_back(rank::tail_query(fact));
    queries_.push_back(rank::head_query(fact));
  }
}

template <class Model>
double Validation::mean_of(const Model& ranked, Context context) const {
  context.progress = nullptr;
  rank::MetricSum sum;
  for (const rank::Ranks& ranks : rank_answers(ranked, queries_, {.known = &known_}, context))
    sum.add(ranks.all);
  return sum.mean().realistic.mrr;
}

double Validation::mrr(const kge::Embeddings& embeddings, const Context& context) const {
  return mean_of(embeddings, context);
}

double Validation::mrr(const features::Features& features, const Context& context) const {
  return mean_of(features, context);
}

}  // namespace greenkgc
