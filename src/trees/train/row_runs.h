#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simd/trees/sum_rows.h"
#include "trees/train/samples.h"

namespace greenkgc::trees {

// Entities as heads, relations, and entities as tails, in one numbering.
class RowKeyRange {
 public:
  explicit RowKeyRange(const features::SideTables& tables);
  std::size_t first(TriplePart part) const { return firsts_[static_cast<std::size_t>(part)]; }
  std::size_t count(TriplePart part) const {
    return firsts_[static_cast<std::size_t>(part) + 1] - first(part);
  }
  std::size_t size() const { return firsts_.back(); }
  std::uint32_t key(TriplePart part, std::uint32_t id) const {
    return static_cast<std::uint32_t>(first(part) + id);
  }

 private:
  std::array<std::size_t, features::kTripleParts + 1> firsts_ = {};
};

// Samples come by fact: first its false tails, then its false heads. So two of three keys hardly change from
// row to row, and what depends on them need only be worked out once per run of rows. Any samples will do;
// without such neighbors, runs are a row or two long. Costs 4 bytes per row and 12 per run.
class RowRuns {
 public:
  static constexpr std::size_t kBlock = 1024;  // rows: no run goes on beyond a multiple of it

  RowRuns(const Samples& samples, const RowKeyRange& range);

  // By row: the key that its run does not share.
  const std::vector<std::uint32_t>& keys() const { return keys_; }
  // Of the rows from block * kBlock on, counted from there.
  std::span<const simd::RowRun> of_block(std::size_t block) const {
    return std::span(runs_).subspan(first_runs_[block], first_runs_[block + 1] - first_runs_[block]);
  }

 private:
  std::vector<std::uint32_t> keys_;
  std::vector<simd::RowRun> runs_;
  std::vector<std::size_t> first_runs_;  // by block, and one more
};

}  // namespace greenkgc::trees
