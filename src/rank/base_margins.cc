#include "rank/base_margins.h"

#include <algorithm>
#include <cmath>

namespace greenkgc::rank {
namespace {

constexpr std::array kSides = {Side::kHead, Side::kTail};

std::size_t place(Side side) {
  return static_cast<std::size_t>(side);
}

RowComparison comparison_of(model::Similarity similarity) {
  switch (similarity) {
    case model::Similarity::kDot:
      return RowComparison::kDot;
    case model::Similarity::kEuclidean:
      return RowComparison::kEuclidean;
    case model::Similarity::kSquaredEuclidean:
      return RowComparison::kSquaredEuclidean;
    default:
      return RowComparison::kManhattan;
  }
}

float log_term(double weight, std::uint32_t count) {
  return static_cast<float>(weight * std::log1p(count));
}

// Entities that stand on a side of a relation's facts, and how often.
struct CountedEntities {
  std::span<const EntityId> entities;
  std::span<const std::uint32_t> counts;
};

CountedEntities counted(const graph::RelationRanges& ranges, RelationId relation, Side side) {
  if (side == Side::kHead) return {ranges.heads(relation), ranges.head_counts(relation)};
  return {ranges.tails(relation), ranges.tail_counts(relation)};
}

// The numbers of the kept dimensions, in the layout of a row of an embedding of these dimensions alone.
std::vector<float> kept_numbers(std::span<const float> row, std::size_t dims,
                                std::span<const std::uint32_t> kept) {
  std::vector<float> numbers;
  for (std::size_t v = 0; v < row.size(); v += dims) {
    for (const std::uint32_t dim : kept) numbers.push_back(row[v + dim]);
  }
  return numbers;
}

}  // namespace

BaseMargins::BaseMargins(const model::Decisions& decisions, std::uint32_t group)
    : decisions_(decisions), group_(decisions.groups[group]) {
  if (!group_.base) return;
  for (const Side asked : kSides) {
    for (const Side side : kSides) {
      for (std::uint32_t n = 0; n < kSmallCounts; ++n)
        small_count_terms_[place(asked)][place(side)][n] = log_term(count_weight(asked, side), n);
    }
  }
}

double BaseMargins::count_weight(Side asked, Side side) const {
  const model::BaseMargin& base = group_.base->of(asked);
  return side == Side::kHead ? base.head_count : base.tail_count;
}

float BaseMargins::count_term(Side asked, Side side, std::uint32_t count) const {
  if (count < kSmallCounts) return small_count_terms_[place(asked)][place(side)][count];
  return log_term(count_weight(asked, side), count);
}

BaseMargins::Query BaseMargins::query(EntityId known, RelationId relation, Side side) const {
  Query query{relation, side, {}, static_cast<float>(group_.trees.base_margin)};
  if (!group_.base) return query;
  const Side known_side = side == Side::kHead ? Side::kTail : Side::kHead;
  query.offset = group_.base->of(side).constant;
  add_count_terms(query, known_side, index(known), {&query.offset, 1});
  if (score_weight(side) == 0) return query;

  const model::Embeddings& embeddings = decisions_.embeddings;
  const auto how = embeddings.asking(relation, side);
  const auto entity = kept_numbers(embeddings.entity(known), embeddings.dims, group_.kept);
  const auto row = kept_numbers(embeddings.relation_row(how.relation_row), embeddings.dims, group_.kept);
  std::vector<double> exact(entity.size());
  embeddings.kge->query(how.side, entity, row, std::span(exact));
  query.vector.assign(exact.size(), 0.0F);
  std::transform(exact.begin(), exact.end(), query.vector.begin(),
                 [](double x) { return static_cast<float>(x); });
  return query;
}

void BaseMargins::fill(std::span<const Query> queries, std::uint32_t first, std::size_t count, float* margins,
                       std::size_t stride) const {
  for (std::size_t i = 0; i < queries.size(); ++i)
    std::fill_n(margins + i * stride, count, queries[i].offset);
  if (!group_.base) return;
  if (std::any_of(kSides.begin(), kSides.end(), [&](Side side) { return score_weight(side) != 0; }))
    fill_scores(queries, first, count, margins, stride);
  for (std::size_t i = 0; i < queries.size(); ++i)
    add_count_terms(queries[i], queries[i].side, first, {margins + i * stride, count});
}

void BaseMargins::fill_scores(std::span<const Query> queries, std::uint32_t first, std::size_t count,
                              float* margins, std::size_t stride) const {
  const RowComparison comparison = comparison_of(decisions_.embeddings.similarity);
  const std::size_t at_once = std::min(kRowsAtOnce, count);
  std::vector<float> columns(decisions_.embeddings.kge->entity_variables() * group_.kept.size() * at_once);
  for (std::size_t begin = 0; begin < count; begin += at_once) {
    const std::size_t rows = std::min(at_once, count - begin);
    copy_columns(first + static_cast<std::uint32_t>(begin), rows, columns.data(), at_once);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (queries[i].vector.empty()) continue;
      score_columns(comparison, queries[i].vector, {columns.data(), at_once, rows},
                    {queries[i].offset, score_weight(queries[i].side)}, margins + i * stride + begin);
    }
  }
}

// A cache line of a column at a time: its rows stay in the first cache for all columns.
void BaseMargins::copy_columns(std::uint32_t first, std::size_t count, float* columns,
                               std::size_t stride) const {
  constexpr std::size_t kLine = 16;
  const model::Embeddings& embeddings = decisions_.embeddings;
  const std::size_t width = embeddings.entity_width();
  for (std::size_t begin = 0; begin < count; begin += kLine) {
    const std::size_t rows = std::min(kLine, count - begin);
    const float* numbers = embeddings.entities.data() + (first + begin) * width;
    float* out = columns + begin;
    for (std::size_t v = 0; v < width; v += embeddings.dims) {
      for (const std::uint32_t dim : group_.kept) {
        for (std::size_t row = 0; row < rows; ++row) out[row] = numbers[row * width + v + dim];
        out += stride;
      }
    }
  }
}

void BaseMargins::add_count_terms(const Query& query, Side side, std::uint32_t first,
                                  std::span<float> margins) const {
  if (count_weight(query.side, side) == 0) return;
  const CountedEntities own = counted(decisions_.counts, query.relation, side);
  const auto begin = std::lower_bound(own.entities.begin(), own.entities.end(), EntityId{first});
  for (auto i = static_cast<std::size_t>(begin - own.entities.begin());
       i < own.entities.size() && index(own.entities[i]) < first + margins.size(); ++i)
    margins[index(own.entities[i]) - first] += count_term(query.side, side, own.counts[i]);
}

}  // namespace greenkgc::rank
