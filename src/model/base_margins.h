#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/query.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"
#include "simd/vector/column_scores.h"

namespace greenkgc::model {

using graph::Side;

// What the margins of a group begin with, before its trees: their own base margin, or the relation's
// model::BaseMargin with score and counts. Floats, the same bits for any tile, number of queries and
// instruction set. Immutable; keeps references.
class BaseMargins {
 public:
  BaseMargins(const model::Decisions& decisions, std::uint32_t group);

  // A query as the group sees it.
  struct Query {
    EntityId known;
    RelationId relation;
    Side side;
    const model::BaseMargin* base;  // null: the trees' own
    std::vector<float> vector;      // empty where scores do not matter
    float offset;                   // the part that all candidates share
  };
  Query query(EntityId known, RelationId relation, Side side) const;

  // For entities first, first + 1, ...: margins[i * stride + j] for query i and entity first + j.
  void fill(std::span<const Query> queries, std::uint32_t first, std::size_t count, float* margins,
            std::size_t stride) const;

 private:
  static constexpr std::size_t kRowsAtOnce = 256;

  void copy_columns(std::uint32_t first, std::size_t count, float* columns, std::size_t stride) const;
  void fill_scores(std::span<const Query> queries, std::uint32_t first, std::size_t count, float* margins,
                   std::size_t stride) const;
  // Without copies, which pay for several queries.
  void fill_lone_scores(simd::RowComparison comparison, const Query& query, std::uint32_t first,
                        std::span<float> margins) const;
  // Of entities first, first + 1, ... that stand on `side` of the relation's facts.
  void add_count_terms(const Query& query, Side side, std::uint32_t first, std::span<float> margins) const;

  const model::Decisions& decisions_;
  const model::Decisions::Group& group_;
  const std::vector<std::uint32_t> range_places_;  // of range dimensions among the group's kept ones
};

}  // namespace greenkgc::model
