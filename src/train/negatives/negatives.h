#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "graph/known_facts.h"
#include "graph/relation_ranges.h"
#include "greenkgc/ids.h"
#include "kge/embeddings.h"

namespace greenkgc::decide {

using graph::Side;

// One end of a fact whose place false answers take. `place` is a number that no other query of the run has;
// what is drawn for a query depends on it and the seed alone.
struct NegativeQuery {
  Triple fact;
  Side side;
  std::uint64_t place;

  EntityId answer() const { return side == Side::kTail ? fact.tail : fact.head; }
  Triple with_answer(EntityId entity) const {
    return side == Side::kTail ? Triple{fact.head, fact.relation, entity}
                               : Triple{entity, fact.relation, fact.tail};
  }
};

// What false answers are drawn from. For training facts, known ones are those of the training split alone:
// what is held out must not shape the negatives.
struct NegativeSource {
  std::span<const Triple> facts;        // that are asked for
  const graph::KnownFacts& known;       // never drawn
  const graph::RelationRanges& ranges;  // of training facts
  std::uint32_t entity_count;
  const kge::Embeddings* embeddings = nullptr;  // for those that go by scores
  std::uint64_t seed;

  std::span<const EntityId> known_answers(const NegativeQuery& query) const {
    return query.side == Side::kTail ? known.tails(query.fact.head, query.fact.relation)
                                     : known.heads(query.fact.relation, query.fact.tail);
  }
};

// Draws for one thread: it may keep what it found out for the last query.
class NegativeDrawer {
 public:
  virtual ~NegativeDrawer() = default;
  // Writes false answers to `out`, with repeats; returns how many. Less than asked for only where the sampler
  // has no false answer to the query, or hardly any.
  virtual std::size_t draw(const NegativeQuery& query, std::span<EntityId> out) = 0;
};

// Where false answers come from (paper: negative sampling). Immutable: makes drawers in several threads.
class NegativeSampler {
 public:
  virtual ~NegativeSampler() = default;
  virtual std::unique_ptr<NegativeDrawer> drawer() const = 0;
};

struct NegativeOptions {
  double leave_out =
      0;  // ontology: the share of a range that co-occurs most with the answer and is not drawn
  std::size_t pool_factor = 8;  // embedding: random answers from which each drawn one is the best
};

// "random", "ontology", "embedding", or a weighted mixture, "random:0.5,ontology:0.5"; no weight means 1.
// Throws kUsage for a name that is not known, with the nearest one, and for weights that are not positive.
struct NegativePart {
  std::string name;
  double weight;
};
std::vector<NegativePart> parse_negatives(std::string_view description);

// From such a description. The source's references are kept.
std::unique_ptr<NegativeSampler> negative_sampler(std::string_view description, const NegativeSource& source,
                                                  const NegativeOptions& options);

// The kinds. Random: any entity. Ontology: an entity that the relation has on that side in training.
// Embedding: of a pool of random ones, those that the embedding scores highest. Two random samplers of
// different streams draw different answers.
std::unique_ptr<NegativeSampler> random_negatives(const NegativeSource& source, std::uint32_t stream);
std::unique_ptr<NegativeSampler> ontology_negatives(const NegativeSource& source, double leave_out);
std::unique_ptr<NegativeSampler> embedding_negatives(const NegativeSource& source, std::size_t pool_factor);

// Up to out.size() entities at random from a list, none of them in `known` (sorted). Repeats occur. Returns
// how many: fewer only if most of the list is known.
std::size_t draw_unknown(std::span<const EntityId> list, std::span<const EntityId> known, std::uint64_t seed,
                         std::uint32_t stream, std::uint64_t place, std::span<EntityId> out);
// The same from all entities below the count.
std::size_t draw_unknown(std::uint32_t entity_count, std::span<const EntityId> known, std::uint64_t seed,
                         std::uint32_t stream, std::uint64_t place, std::span<EntityId> out);

}  // namespace greenkgc::decide
