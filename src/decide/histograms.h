#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decide/node_sums.h"
#include "decide/split.h"
#include "model/trees.h"

namespace greenkgc::decide {

// The columns that a tree may use, and where the bins of each stand in a node's histogram. Columns that are
// constant are left out.
class ColumnPlan {
 public:
  ColumnPlan(const model::SideTables& tables, std::span<const model::TripleColumn> columns);

  struct Column {
    model::TripleColumn source;
    std::span<const std::uint8_t> bins;  // by entity or relation
    std::span<const float> cuts;
    std::size_t offset;  // of its first bin in a histogram
    std::size_t bin_count() const { return cuts.size() + 1; }
  };
  std::span<const Column> columns() const { return columns_; }
  std::size_t total_bins() const { return total_bins_; }

  // Up to kChunk neighbouring columns of the same part: a piece of work for one thread.
  struct Chunk {
    std::size_t begin;
    std::size_t end;
    TriplePart part;
  };
  std::span<const Chunk> chunks() const { return chunks_; }

 private:
  std::vector<Column> columns_;
  std::vector<Chunk> chunks_;
  std::size_t total_bins_ = 0;
};

using Histogram = std::vector<GradientSums>;  // total_bins() long

// Overwrites the bins of the chunk's columns. `entries` are those of the chunk's part.
void fill_histogram(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Entries& entries,
                    Histogram& histogram);

// parent -= child in the bins of the chunk: what is left is the other child's histogram.
void subtract_histogram(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Histogram& child,
                        Histogram& parent);

// The best split by a column of the chunk; `column` of it counts in plan.columns().
NodeSplit best_split(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const Histogram& histogram,
                     const GradientSums& node, const SplitRule& rule);

}  // namespace greenkgc::decide
