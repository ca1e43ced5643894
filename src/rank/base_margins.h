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

  // Of the score in questions for a side.
  float score_weight(Side asked) const { return group_.base ? group_.base->of(asked).score : 0; }
  double count_weight(Side asked, Side side) const;
  // What being on `side` of n training facts adds in questions for the side that is asked.
  float count_term(Side asked, Side side, std::uint32_t count) const;
  void copy_columns(std::uint32_t first, std::size_t count, float* columns, std::size_t stride) const;
  void fill_scores(std::span<const Query> queries, std::uint32_t first, std::size_t count, float* margins,
                   std::size_t stride) const;
  // Without copies, which pay for several queries.
  void fill_lone_scores(RowComparison comparison, const Query& query, std::uint32_t first,
                        std::span<float> margins) const;
  // Of entities first, first + 1, ... that stand on `side` of the relation's facts.
  void add_count_terms(const Query& query, Side side, std::uint32_t first, std::span<float> margins) const;

  const model::Decisions& decisions_;
  const model::Decisions::Group& group_;
  // By the side asked and the entity's: logarithms take long.
  std::array<std::array<std::array<float, kSmallCounts>, 2>, 2> small_count_terms_;
};

}  // namespace greenkgc::rank
