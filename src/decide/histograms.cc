#include "decide/histograms.h"

#include <algorithm>

namespace greenkgc::decide {
namespace {

// Columns whose bins are added to in one run over the entries: the histograms of four take 16 KB and stay in
// the first-level cache.
constexpr std::size_t kTogether = 4;
constexpr std::size_t kChunk = 8;  // a multiple of kTogether; enough chunks for many threads

// Bound by the additions: for each entry and column a read of a bin number, then a read and a write in the
// first-level cache.
template <std::size_t kColumns>
void add_entries(std::span<const ColumnPlan::Column> columns, const Entries& entries,
                 GradientSums* histogram) {
  const std::uint8_t* bins[kColumns];
  GradientSums* sums[kColumns];
  for (std::size_t c = 0; c < kColumns; ++c) {
    bins[c] = columns[c].bins.data();
    sums[c] = histogram + columns[c].offset;
  }
  const std::uint32_t* const ids = entries.ids.data();
  const GradientSums* const values = entries.sums.data();
  for (std::size_t i = 0; i < entries.ids.size(); ++i) {
    const std::uint32_t id = ids[i];
    const GradientSums value = values[i];
    for (std::size_t c = 0; c < kColumns; ++c) sums[c][bins[c][id]] += value;
  }
}

// The bins of a chunk, which are contiguous, in a constant or changeable histogram.
template <class Sums>
std::span<Sums> bins_of(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, std::span<Sums> histogram) {
  const auto& first = plan.columns()[chunk.begin];
  const auto& last = plan.columns()[chunk.end - 1];
  return histogram.subspan(first.offset, last.offset + last.bin_count() - first.offset);
}

}  // namespace

ColumnPlan::ColumnPlan(const model::SideTables& tables, std::span<const model::TripleColumn> columns) {
  for (const model::TripleColumn& column : columns) {
    const model::BinnedTable& table = tables.of(column.part);
    if (table.bin_count(column.variable) < 2) continue;
    columns_.push_back({column, table.bins(column.variable), table.cuts(column.variable), total_bins_});
    total_bins_ += columns_.back().bin_count();
  }
  for (std::size_t begin = 0; begin < columns_.size();) {
    std::size_t end = begin + 1;
    while (end < columns_.size() && end < begin + kChunk &&
           columns_[end].source.part == columns_[begin].source.part)
      ++end;
    chunks_.push_back({begin, end, columns_[begin].source.part});
    begin = end;
  }
}

void fill_histogram(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Entries& entries,
                    Histogram& histogram) {
  std::ranges::fill(bins_of(plan, chunk, std::span(histogram)), GradientSums{});
  std::size_t column = chunk.begin;
  for (; column + kTogether <= chunk.end; column += kTogether)
    add_entries<kTogether>(plan.columns().subspan(column, kTogether), entries, histogram.data());
  for (; column < chunk.end; ++column)
    add_entries<1>(plan.columns().subspan(column, 1), entries, histogram.data());
}

void subtract_histogram(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Histogram& child,
                        Histogram& parent) {
  const auto from = bins_of(plan, chunk, std::span(parent));
  const auto what = bins_of(plan, chunk, std::span(child));
  for (std::size_t b = 0; b < from.size(); ++b) from[b] -= what[b];
}

NodeSplit best_split(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Histogram& histogram,
                     const GradientSums& node, const SplitRule& rule) {
  NodeSplit best;
  for (std::size_t column = chunk.begin; column < chunk.end; ++column) {
    const auto& bins = plan.columns()[column];
    find_split(std::span(histogram).subspan(bins.offset, bins.bin_count()), node, rule,
               static_cast<std::uint32_t>(column), best);
  }
  return best;
}

}  // namespace greenkgc::decide
