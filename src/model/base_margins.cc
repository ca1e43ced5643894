#include "model/base_margins.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "simd/vector/look_up.h"

namespace greenkgc::model {
namespace {

simd::RowComparison comparison_of(kge::Similarity similarity) {
  switch (similarity) {
    case kge::Similarity::kDot:
      return simd::RowComparison::kDot;
    case kge::Similarity::kEuclidean:
      return simd::RowComparison::kEuclidean;
    case kge::Similarity::kSquaredEuclidean:
      return simd::RowComparison::kSquaredEuclidean;
    case kge::Similarity::kModuli:
      return simd::RowComparison::kModuli;
    default:
      return simd::RowComparison::kManhattan;
  }
}

// log(1 + n); of small n from a table, since logarithms take long.
double log_count(std::uint32_t n) {
  static const auto small = [] {
    std::array<double, 64> logarithms;
    for (std::uint32_t i = 0; i < logarithms.size(); ++i) logarithms[i] = std::log1p(i);
    return logarithms;
  }();
  return n < small.size() ? small[n] : std::log1p(n);
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

// Calls use(column) for the kept dimensions' columns, in the layout of a row of an embedding of these alone.
template <class Use>
void for_each_kept(std::size_t width, std::size_t dims, std::span<const std::uint32_t> kept, const Use& use) {
  for (std::size_t v = 0; v < width; v += dims) {
    for (const std::uint32_t dim : kept) use(v + dim);
  }
}

}  // namespace

BaseMargins::BaseMargins(const model::Decisions& decisions, std::uint32_t group)
    : decisions_(decisions),
      group_(decisions.groups[group]),
      range_places_(decisions.embeddings.range_places(group_.kept)) {}

BaseMargins::Query BaseMargins::query(EntityId known, RelationId relation, Side side) const {
  Query query{known, relation, side, nullptr, {}, static_cast<float>(group_.trees.base_margin)};
  const model::BaseMarginsBySide* base = decisions_.base_of(relation);
  if (base == nullptr) return query;
  query.base = &base->of(side);
  const Side known_side = side == Side::kHead ? Side::kTail : Side::kHead;
  query.offset = query.base->constant;
  add_count_terms(query, known_side, index(known), {&query.offset, 1});
  if (query.base->score == 0) return query;

  const kge::Embeddings& embeddings = decisions_.embeddings;
  const auto how = embeddings.asking(relation, side);
  const features::BinnedTable& table = decisions_.tables.entities;
  std::vector<float> entity;
  for_each_kept(table.columns(), embeddings.dims, group_.kept, [&](std::size_t column) {
    entity.push_back(table.levels(column)[table.bins(column)[index(known)]]);
  });
  embeddings.make_asking(range_places_, entity);
  const auto numbers = embeddings.relation_row(how.relation_row);
  std::vector<float> row;
  for_each_kept(numbers.size(), embeddings.dims, group_.kept,
                [&](std::size_t column) { row.push_back(numbers[column]); });
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
  if (std::any_of(queries.begin(), queries.end(), [](const Query& query) { return !query.vector.empty(); }))
    fill_scores(queries, first, count, margins, stride);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Query& query = queries[i];
    if (query.base == nullptr) continue;
    add_count_terms(query, query.side, first, {margins + i * stride, count});
    const std::size_t self = std::size_t{index(query.known)} - first;
    if (index(query.known) >= first && self < count) margins[i * stride + self] += query.base->self;
  }
}

void BaseMargins::fill_scores(std::span<const Query> queries, std::uint32_t first, std::size_t count,
                              float* margins, std::size_t stride) const {
  const simd::RowComparison comparison = comparison_of(decisions_.embeddings.similarity);
  if (queries.size() == 1 && comparison != simd::RowComparison::kModuli)
    return fill_lone_scores(comparison, queries[0], first, {margins, count});
  const std::size_t at_once = std::min(kRowsAtOnce, count);
  const std::size_t apart = at_once + 16;  // so that columns do not crowd into the same sets of a cache
  std::vector<float> columns(decisions_.embeddings.kge->entity_variables() * group_.kept.size() * apart);
  std::vector<simd::ColumnQuery> asked;
  for (std::size_t begin = 0; begin < count; begin += at_once) {
    const std::size_t rows = std::min(at_once, count - begin);
    copy_columns(first + static_cast<std::uint32_t>(begin), rows, columns.data(), apart);
    asked.clear();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (queries[i].vector.empty()) continue;
      asked.push_back(
          {queries[i].vector, {queries[i].offset, queries[i].base->score}, margins + i * stride + begin});
    }
    simd::score_columns(comparison, asked, {columns.data(), apart, rows});
  }
}

void BaseMargins::fill_lone_scores(simd::RowComparison comparison, const Query& query, std::uint32_t first,
                                   std::span<float> margins) const {
  if (query.vector.empty()) return;
  const features::BinnedTable& table = decisions_.tables.entities;
  std::fill(margins.begin(), margins.end(), 0.0F);
  auto number = query.vector.begin();
  for_each_kept(table.columns(), decisions_.embeddings.dims, group_.kept, [&](std::size_t column) {
    simd::add_binned_column(comparison, *number++, table.levels(column),
                            table.bins(column).subspan(first, margins.size()), margins.data());
  });
  simd::finish_scores(comparison, {query.offset, query.base->score}, margins);
}

void BaseMargins::copy_columns(std::uint32_t first, std::size_t count, float* columns,
                               std::size_t stride) const {
  const features::BinnedTable& table = decisions_.tables.entities;
  for_each_kept(table.columns(), decisions_.embeddings.dims, group_.kept, [&](std::size_t column) {
    simd::look_up(table.levels(column), table.bins(column).subspan(first, count), columns);
    columns += stride;
  });
}

void BaseMargins::add_count_terms(const Query& query, Side side, std::uint32_t first,
                                  std::span<float> margins) const {
  const double weight = side == Side::kHead ? query.base->head_count : query.base->tail_count;
  if (weight == 0) return;
  const CountedEntities own = counted(decisions_.counts, query.relation, side);
  const auto begin = std::lower_bound(own.entities.begin(), own.entities.end(), EntityId{first});
  for (auto i = static_cast<std::size_t>(begin - own.entities.begin());
       i < own.entities.size() && index(own.entities[i]) < first + margins.size(); ++i)
    margins[index(own.entities[i]) - first] += static_cast<float>(weight * log_count(own.counts[i]));
}

}  // namespace greenkgc::model
