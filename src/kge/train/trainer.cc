#include "kge/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc::kge {
namespace {

constexpr std::uint32_t kEntityStream = 3;
constexpr std::uint32_t kRelationStream = 4;

// Normal numbers by Box and Muller, two uniform ones each.
void fill_normal(std::vector<float>& values, double deviation, const CounterRandom& random) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit(2 * i)));
    values[i] =
        static_cast<float>(deviation * radius * std::cos(2 * std::numbers::pi * random.unit(2 * i + 1)));
  }
}

kge::Similarity choose_similarity(const EmbedOptions& options, const kge::KgeModel& kge) {
  const auto possible = kge.similarities();
  if (options.similarity == "auto") return possible.front();
  for (const kge::Similarity similarity : possible) {
    if (options.similarity == kge::similarity_name(similarity)) return similarity;
  }
  throw Error(ErrorCode::kUsage,
              "--similarity " + options.similarity + " does not work with --model " + options.model);
}

}  // namespace

kge::Embeddings initial_embeddings(const EmbedOptions& options, std::uint32_t entity_count,
                                   std::uint32_t relation_count, std::uint64_t seed) {
  kge::Embeddings embeddings;
  embeddings.kge = &kge::kge_model(options.model);
  embeddings.similarity = choose_similarity(options, *embeddings.kge);
  embeddings.dims = static_cast<std::size_t>(options.dims);
  embeddings.range_dims = kge::last_dims(
      embeddings.dims,
      static_cast<std::size_t>(std::lround(options.range_share * static_cast<double>(options.dims))));
  embeddings.reciprocal = options.reciprocal;
  embeddings.entity_count = entity_count;
  embeddings.relation_count = relation_count;
  embeddings.entities.resize(entity_count * embeddings.entity_width());
  embeddings.relations.resize(embeddings.relation_rows() * embeddings.relation_width());
  fill_normal(embeddings.entities, options.init_scale, CounterRandom(seed, kEntityStream));
  const CounterRandom relation_random(seed, kRelationStream);
  if (const float range = embeddings.kge->relation_range(); range > 0) {
    for (std::size_t i = 0; i < embeddings.relations.size(); ++i) {
      embeddings.relations[i] = range * static_cast<float>(2 * relation_random.unit(i) - 1);
    }
    for (std::size_t row = 0; row < embeddings.relation_rows(); ++row) {
      for (const std::uint32_t dim : embeddings.range_dims)
        embeddings.relations[row * embeddings.dims + dim] = 0;
    }
  } else {
    fill_normal(embeddings.relations, options.init_scale, relation_random);
  }
  return embeddings;
}

Trainer::Trainer(std::span<const Triple> facts, const graph::KnownFacts& known, const EmbedOptions& options,
                 kge::Embeddings start, std::uint64_t seed)
    : options_(options),
      embeddings_(std::move(start)),
      batches_(facts, known, embeddings_.entity_count, options_, seed),
      gradient_maker_(batches_, options_),
      adagrad_(embeddings_, options_) {}

float Trainer::rate_at(double epochs_done) const {
  const auto epochs = static_cast<double>(options_.epochs);
  const double warm = options_.warm_up > 0 ? std::min(1.0, epochs_done / options_.warm_up) : 1.0;
  const double left = 1 - (1 - options_.final_rate) * std::min(1.0, epochs_done / epochs);
  return static_cast<float>(options_.rate * warm * left);
}

Trainer::Epoch Trainer::run_epoch(std::uint64_t epoch, const Context& context,
                                  const std::function<void(std::uint64_t)>& done) {
  Epoch result;
  const std::uint64_t steps = batches_.steps_per_epoch();
  for (std::uint64_t step = 0; step < steps; ++step) {
    batches_.make(epoch, step, batch_);
    gradient_maker_.compute(embeddings_, batch_, context, gradients_);
    const double position =
        static_cast<double>(epoch) + (static_cast<double>(step) + 0.5) / static_cast<double>(steps);
    adagrad_.step(embeddings_, batch_, gradients_, rate_at(position), context);
    result.loss += gradients_.loss * static_cast<double>(batch_.queries.size());
    result.queries += batch_.queries.size();
    done(batch_.queries.size());
  }
  result.loss /= static_cast<double>(result.queries);
  return result;
}

}  // namespace greenkgc::kge
