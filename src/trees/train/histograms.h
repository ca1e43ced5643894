#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simd/trees/fill_bins.h"
#include "trees/train/samples.h"
#include "trees/train/split.h"
#include "trees/trees.h"

namespace greenkgc::trees {

// The columns that a tree may use, and where the bins of each stand in a node's histogram. Columns that are
// constant are left out.
class ColumnPlan {
 public:
  ColumnPlan(const features::SideTables& tables, std::span<const trees::TripleColumn> columns);

  struct Column {
    trees::TripleColumn source;
    std::span<const std::uint8_t> bins;  // by entity or relation
    std::span<const float> cuts;
    std::size_t offset;  // of its first bin in a histogram
    std::size_t bin_count() const { return cuts.size() + 1; }
  };
  std::span<const Column> columns() const { return columns_; }
  std::size_t total_bins() const { return total_bins_; }

  // Up to kChunk neighboring columns of the same part: a piece of work for one thread.
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

using Histogram = std::vector<simd::GradientSums>;  // total_bins() long

// Two siblings, or the root alone, and what is to be found of them.
struct SiblingScan {
  struct Node {
    simd::GradientSums sums;
    Histogram* histogram = nullptr;
    NodeSplit best = {};
  };
  Node summed;  // its histogram comes from entries; null: it is not kept
  Node other;   // its histogram is the parent's; what is left of that is kept if `summed` is. Null: the root
};

// Looks for splits by columns of the chunk. `entries` are those of the chunk's part, for as many nodes as
// there are scans, in their order. `column` of a split counts in plan.columns().
void scan_columns(const ColumnPlan& plan, const ColumnPlan::Chunk& chunk, const simd::SumEntries& entries,
                  const SplitRule& rule, std::span<SiblingScan> scans);

}  // namespace greenkgc::trees
