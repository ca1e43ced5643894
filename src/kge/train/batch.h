#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "graph/known_facts.h"
#include "greenkgc/embed.h"
#include "greenkgc/ids.h"
#include "kge/kge_model.h"

namespace greenkgc::kge {

// One thing to learn: asked with `known` and `relation`, `answer` is right.
struct Query {
  EntityId known;
  RelationId relation;
  EntityId answer;
  kge::Side side;  // of the answer
  float weight;
};

inline constexpr std::uint32_t kNotANegative = 0xFFFFFFFFU;

// What one step learns from. The negatives are distinct, and shared by all queries. Meant to be used again
// and again.
struct Batch {
  std::vector<Query> queries;
  std::vector<EntityId> negatives;
  std::vector<std::uint32_t> position_of;  // by entity: its place in `negatives`, or kNotANegative
  bool all_entities = false;               // the negatives are every entity, in the order of ids
  // Of questions with many known answers: the places of these.
  std::map<std::tuple<EntityId, RelationId, kge::Side>, std::vector<std::uint32_t>> hub_masks;
};

// Makes the batches of an epoch: every fact once from each side, in an order that is new in each epoch. A
// batch depends on (seed, epoch, step) alone. Const calls may run in several threads.
class BatchMaker {
 public:
  // `facts` and `known` (their index) must outlive it.
  BatchMaker(std::span<const Triple> facts, const graph::KnownFacts& known, std::uint32_t entity_count,
             const EmbedOptions& options, std::uint64_t seed);

  std::uint64_t steps_per_epoch() const;
  void make(std::uint64_t epoch, std::uint64_t step, Batch& batch) const;

  // The places in batch.negatives that do not count for this query: its own answer and, with mask_known, all
  // known ones.
  void masked_places(const Batch& batch, const Query& query, std::vector<std::uint32_t>& places) const;

 private:
  Query query_at(std::uint64_t place) const;
  std::span<const EntityId> known_answers(const Query& query) const;
  void mask_hubs(Batch& batch) const;
  static void add_places(const Batch& batch, std::span<const EntityId> answers,
                         std::vector<std::uint32_t>& places);
  void draw_negatives(std::uint64_t serial, Batch& batch) const;
  EntityId draw_negative(std::uint64_t counter, bool by_frequency) const;

  std::span<const Triple> facts_;
  const graph::KnownFacts& known_;
  std::uint32_t entity_count_;
  EmbedOptions options_;
  std::uint64_t seed_;
  double mean_weight_ = 1;
};

}  // namespace greenkgc::kge
