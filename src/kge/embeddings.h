#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/ids.h"
#include "kge/kge_model.h"

namespace greenkgc::kge {

// Trained vectors: one row per entity, one per relation (two with reciprocal relations: R for tails, then R
// for heads).
struct Embeddings {
  const KgeModel* kge = nullptr;
  Similarity similarity = Similarity::kDot;
  std::size_t dims = 0;
  bool reciprocal = false;
  std::uint32_t entity_count = 0;
  std::uint32_t relation_count = 0;
  // Dimensions in which the known entity does not count: a query has the relation's own numbers there, so
  // they hold what a relation's answers are like. Phases are 0 there and stay so: a query is then the same
  // for all relations, and the dimension holds how good an answer an entity is as such. In a file they are
  // the last.
  std::vector<std::uint32_t> range_dims;
  std::vector<float> entities;   // entity_count rows of entity_width()
  std::vector<float> relations;  // relation_rows() rows of relation_width()

  std::size_t entity_width() const { return dims * kge->entity_variables(); }
  std::size_t relation_width() const { return dims * kge->relation_variables(); }
  std::size_t relation_rows() const {
    return relation_count * (reciprocal ? std::size_t{2} : std::size_t{1});
  }

  std::span<const float> entity(EntityId id) const {
    return {entities.data() + index(id) * entity_width(), entity_width()};
  }
  std::span<const float> relation_row(std::size_t row) const {
    return {relations.data() + row * relation_width(), relation_width()};
  }

  // Which relation row, used in which direction, asks for `side`.
  struct Asking {
    std::size_t relation_row;
    Side side;
  };
  Asking asking(RelationId relation, Side side) const {
    if (reciprocal && side == Side::kHead)
      return {std::size_t{index(relation)} + relation_count, Side::kTail};
    return {index(relation), side};
  }
  template <class Real>
  void query(EntityId known, RelationId relation, Side side, std::span<Real> q) const {
    const Asking how = asking(relation, side);
    kge->query(how.side, asking_row(known), relation_row(how.relation_row), q);
  }
  // The chain rule: from d loss / d q, writes d loss / d known and d loss / d the relation's row.
  void query_gradient(EntityId known, RelationId relation, Side side, std::span<const float> q_gradient,
                      std::span<float> known_gradient, std::span<float> relation_gradient) const;

  // For rows of some dimensions alone: where the range dimensions are among them, and how variables of the
  // known entity, laid out like a row, become those that ask.
  std::vector<std::uint32_t> range_places(std::span<const std::uint32_t> among) const;
  void make_asking(std::span<const std::uint32_t> places, std::span<float> variables) const;

 private:
  // An entity's row as it asks. Good until the thread's next call.
  std::span<const float> asking_row(EntityId id) const;
};

// The numbers from `dims` - `count` on: the range dimensions of a whole embedding.
std::vector<std::uint32_t> last_dims(std::size_t dims, std::size_t count);

}  // namespace greenkgc::kge
