#include "trees/train/histograms.h"

#include <algorithm>
#include <array>

namespace greenkgc::trees {
namespace {

constexpr std::size_t kChunk = 8;  // a multiple of kColumnsAtOnce; enough chunks for many threads

using features::kMostBins;
using ColumnBins = std::array<simd::GradientSums, kMostBins>;

// The histograms of some columns, for all nodes at once: 32 KB.
class BinsTogether {
 public:
  BinsTogether(std::span<const ColumnPlan::Column> columns, const simd::SumEntries& entries)
      : width_(entries.width) {
    std::array<const std::uint8_t*, simd::kColumnsAtOnce> bins;
    std::array<simd::GradientSums*, simd::kColumnsAtOnce> sums;
    for (std::size_t c = 0; c < simd::kColumnsAtOnce; ++c) {
      bins[c] = columns[std::min(c, columns.size() - 1)].bins.data();
      sums[c] = column(c);
    }
    simd::fill_bins(entries, bins, sums);
  }
  void copy(std::size_t c, std::size_t node, std::span<simd::GradientSums> to) {
    for (std::size_t bin = 0; bin < to.size(); ++bin) to[bin] = column(c)[bin * width_ + node];
  }

 private:
  simd::GradientSums* column(std::size_t c) { return sums_.data() + c * width_ * kMostBins; }

  const std::size_t width_;
  alignas(64) std::array<simd::GradientSums,
                         simd::kColumnsAtOnce* simd::SumEntries::kMostWidth* kMostBins> sums_ = {};
};

// Where the bins of a node stand: in its histogram, or in a place that is used again.
std::span<simd::GradientSums> bins_of(const ColumnPlan::Column& column, Histogram* histogram,
                                      ColumnBins& place) {
  return std::span(histogram != nullptr ? histogram->data() + column.offset : place.data(),
                   column.bin_count());
}

void scan_other(const ColumnPlan::Column& column, std::uint32_t number,
                std::span<const simd::GradientSums> summed, bool keep, const SplitRule& rule,
                SiblingScan::Node& other) {
  ColumnBins place;
  const simd::GradientSums* const parent = other.histogram->data() + column.offset;
  const auto bins = bins_of(column, keep ? other.histogram : nullptr, place);
  for (std::size_t bin = 0; bin < bins.size(); ++bin) bins[bin] = parent[bin] - summed[bin];
  find_split(bins, other.sums, rule, number, other.best);
}

}  // namespace

ColumnPlan::ColumnPlan(const features::SideTables& tables, std::span<const trees::TripleColumn> columns) {
  for (const trees::TripleColumn& column : columns) {
    const features::BinnedTable& table = tables.of(column.part);
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

// Column by column, so that what is filled is still in the cache when it is searched.
void scan_columns(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const simd::SumEntries& entries,
                  const SplitRule& rule, std::span<SiblingScan> scans) {
  for (std::size_t begin = chunk.begin; begin < chunk.end; begin += simd::kColumnsAtOnce) {
    const auto columns = plan.columns().subspan(begin, std::min(simd::kColumnsAtOnce, chunk.end - begin));
    BinsTogether together(columns, entries);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto number = static_cast<std::uint32_t>(begin + c);
      for (std::size_t node = 0; node < scans.size(); ++node) {
        SiblingScan& scan = scans[node];
        ColumnBins place;
        const auto bins = bins_of(columns[c], scan.summed.histogram, place);
        together.copy(c, node, bins);
        find_split(bins, scan.summed.sums, rule, number, scan.summed.best);
        if (scan.other.histogram != nullptr)
          scan_other(columns[c], number, bins, scan.summed.histogram != nullptr, rule, scan.other);
      }
    }
  }
}

}  // namespace greenkgc::trees
