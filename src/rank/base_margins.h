#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/ids.h"
#include "kernels/column_scores.h"
#include "model/decisions.h"

namespace greenkgc::rank {

using model::Side;

// What the margins of a group begin with, before its trees: their own base margin, or model::BaseMargin with
// score and counts. Floats, the same bits for any tile, number of queries and instruction set. Immutable;
// keeps references.
class BaseMargins {
 public:
  BaseMargins(const model::Decisions& decisions, std::uint32_t group);

  // A query as the group sees it.
  struct Query {
    RelationId relation;
    Side side;
    std::vector<float> vector;  // empty where scores do not matter
    float offset;               // the part that all candidates share
  };
  Query query(EntityId known, RelationId relation, Side side) const;

  // For entities first, first + 1, ...: margins[i * stride + j] for query i and entity first + j.
  void fill(std::span<const Query> queries, std::uint32_t first, std::size_t count, float* margins,
            std::size_t stride) const;

 private:
  static constexpr std::size_t kRowsAtOnce = 256;
  static constexpr std::uint32_t kSmallCounts = 64;

  double weight_of(Side side) const;
  float count_term(Side side, std::uint32_t count) const;
  void copy_columns(std::uint32_t first, std::size_t count, float* columns, std::size_t stride) const;
  // Of entities first, first + 1, ... that stand on `side` of the relation's facts.
  void add_count_terms(Side side, RelationId relation, std::uint32_t first, std::span<float> margins) const;

  const model::Decisions& decisions_;
  const model::Decisions::Group& group_;
  const bool has_scores_;
  std::array<std::array<float, kSmallCounts>, 2> small_count_terms_;  // by side: logarithms take long
};

}  // namespace greenkgc::rank
