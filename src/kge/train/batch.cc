#include "kge/train/batch.h"

#include <algorithm>
#include <cmath>

#include "base/permutation.h"
#include "base/random.h"

namespace greenkgc::kge {
namespace {

using kge::Side;

constexpr std::uint32_t kOrderStream = 1;
constexpr std::uint32_t kNegativeStream = 2;
constexpr std::size_t kHubAnswers = 256;  // of a question; its mask is made once for a batch
constexpr int kDrawsPerStepBits = 32;     // counters of two steps do not meet

}  // namespace

BatchMaker::BatchMaker(std::span<const Triple> facts, const graph::KnownFacts& known,
                       std::uint32_t entity_count, const EmbedOptions& options, std::uint64_t seed)
    : facts_(facts), known_(known), entity_count_(entity_count), options_(options), seed_(seed) {
  if (facts.empty() || (!options_.subsampling && options_.question_power == 0)) return;
  double total = 0;
  for (std::uint64_t place = 0; place < 2 * facts_.size(); ++place) total += query_at(place).weight;
  mean_weight_ = total / static_cast<double>(2 * facts_.size());
}

std::uint64_t BatchMaker::steps_per_epoch() const {
  const auto batch = static_cast<std::uint64_t>(options_.batch);
  return (2 * facts_.size() + batch - 1) / batch;
}

// By subsampling both sides of a fact weigh 1/sqrt(n(h, r) + n(r, t) + 6), the smoothing of the RotatE
// authors; by question_power the side that asks for tails weighs n(h, r)^-power, the other n(r, t)^-power.
// Over the mean of all.
Query BatchMaker::query_at(std::uint64_t place) const {
  const Triple& fact = facts_[place / 2];
  Query query = place % 2 == 0 ? Query{fact.head, fact.relation, fact.tail, Side::kTail, 1}
                               : Query{fact.tail, fact.relation, fact.head, Side::kHead, 1};
  double weight = 1 / mean_weight_;
  if (options_.subsampling) {
    const std::size_t count =
        known_.tails(fact.head, fact.relation).size() + known_.heads(fact.relation, fact.tail).size() + 6;
    weight /= std::sqrt(static_cast<double>(count));
  }
  if (options_.question_power > 0)
    weight *= std::pow(static_cast<double>(known_answers(query).size()), -options_.question_power);
  query.weight = static_cast<float>(weight);
  return query;
}

void BatchMaker::make(std::uint64_t epoch, std::uint64_t step, Batch& batch) const {
  const std::uint64_t places = 2 * facts_.size();
  const Permutation order(places, CounterRandom(seed_, kOrderStream), epoch);
  const auto size = static_cast<std::uint64_t>(options_.batch);
  batch.queries.clear();
  for (std::uint64_t i = step * size; i < std::min(places, (step + 1) * size); ++i) {
    batch.queries.push_back(query_at(order(i)));
  }
  draw_negatives(epoch * steps_per_epoch() + step, batch);
  mask_hubs(batch);
}

void BatchMaker::draw_negatives(std::uint64_t serial, Batch& batch) const {
  const auto wanted = static_cast<std::uint64_t>(options_.negatives);
  batch.all_entities = wanted == 0 || wanted > entity_count_ / 2;
  if (batch.all_entities) {
    if (batch.negatives.size() == entity_count_) return;
    batch.position_of.resize(entity_count_);
    batch.negatives.resize(entity_count_);
    for (std::uint32_t id = 0; id < entity_count_; ++id) {
      batch.negatives[id] = EntityId{id};
      batch.position_of[id] = id;
    }
    return;
  }
  batch.position_of.resize(entity_count_, kNotANegative);
  for (const EntityId id : batch.negatives) batch.position_of[index(id)] = kNotANegative;
  batch.negatives.clear();
  std::uint64_t draws = 0;
  while (batch.negatives.size() < wanted) {
    // By frequency there may be fewer different entities than wanted: after many draws the rest is drawn
    // alike.
    const bool by_frequency = options_.negative_sampling == "frequency" && draws < 8 * wanted;
    const EntityId id = draw_negative((serial << kDrawsPerStepBits) + draws++, by_frequency);
    if (batch.position_of[index(id)] != kNotANegative) continue;
    batch.position_of[index(id)] = static_cast<std::uint32_t>(batch.negatives.size());
    batch.negatives.push_back(id);
  }
}

EntityId BatchMaker::draw_negative(std::uint64_t counter, bool by_frequency) const {
  const CounterRandom random(seed_, kNegativeStream);
  if (!by_frequency) return EntityId{static_cast<std::uint32_t>(random.below(entity_count_, counter))};
  const std::uint64_t place = random.below(2 * facts_.size(), counter);
  return place % 2 == 0 ? facts_[place / 2].head : facts_[place / 2].tail;
}

std::span<const EntityId> BatchMaker::known_answers(const Query& query) const {
  return query.side == Side::kTail ? known_.tails(query.known, query.relation)
                                   : known_.heads(query.relation, query.known);
}

// A question of a hub comes many times in a batch.
void BatchMaker::mask_hubs(Batch& batch) const {
  batch.hub_masks.clear();
  if (!options_.mask_known) return;
  for (const Query& query : batch.queries) {
    const auto answers = known_answers(query);
    if (answers.size() <= kHubAnswers) continue;
    const auto [mask, is_new] = batch.hub_masks.try_emplace({query.known, query.relation, query.side});
    if (is_new) add_places(batch, answers, mask->second);
  }
}

void BatchMaker::add_places(const Batch& batch, std::span<const EntityId> answers,
                            std::vector<std::uint32_t>& places) {
  if (answers.size() <= 8 * batch.negatives.size()) {
    for (const EntityId answer : answers) {
      const std::uint32_t place = batch.position_of[index(answer)];
      if (place != kNotANegative) places.push_back(place);
    }
    return;
  }
  for (std::uint32_t place = 0; place < batch.negatives.size(); ++place) {
    if (std::binary_search(answers.begin(), answers.end(), batch.negatives[place])) places.push_back(place);
  }
}

void BatchMaker::masked_places(const Batch& batch, const Query& query,
                               std::vector<std::uint32_t>& places) const {
  places.clear();
  if (!options_.mask_known) return add_places(batch, {&query.answer, 1}, places);
  const auto hub = batch.hub_masks.empty() ? batch.hub_masks.end()
                                           : batch.hub_masks.find({query.known, query.relation, query.side});
  if (hub == batch.hub_masks.end())
    add_places(batch, known_answers(query), places);
  else
    places.assign(hub->second.begin(), hub->second.end());
}

}  // namespace greenkgc::kge
