#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"

namespace greenkgc::answers {

// How alike entities are: the cosine of the angle between their rows in the tables, each variable as the
// level of its bin; 0 where a row is zero. In double precision, so the same for any number of threads. Keeps
// references.
class RowSimilarity {
 public:
  // To `entity`, in the dimensions that the relation's group keeps; without a relation in all of them.
  RowSimilarity(const model::Decisions& decisions, EntityId entity, std::optional<RelationId> relation);

  // Of entities first, first + 1, ...
  void fill(std::uint32_t first, std::span<double> similarities) const;
  double of(EntityId other) const;

 private:
  const features::BinnedTable& table_;
  struct Column {
    std::uint32_t number;
    double own;  // the entity's level
  };
  std::vector<Column> columns_;
  double own_square_ = 0;
};

// The k entities most alike to one, most alike first, lower ids first among equals, without itself. Memory is
// a few kilobytes and 2 k neighbors per thread.
std::vector<Neighbor> nearest_entities(const model::Decisions& decisions, EntityId entity,
                                       std::optional<RelationId> relation, std::size_t k,
                                       const Context& context);

}  // namespace greenkgc::answers
