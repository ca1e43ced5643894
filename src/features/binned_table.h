#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "features/triple_variables.h"
#include "greenkgc/context.h"

namespace greenkgc::features {

inline constexpr std::size_t kMostBins = 256;

// Where to cut finite values into at most `most_bins` (2 to kMostBins) bins, ascending: a bin for every
// distinct value where they are few, else by quantiles of the values; a value that many share has its own.
std::vector<float> quantile_cuts(std::span<const float> values, std::size_t most_bins);

// Columns of numbers as bins, for all entities or all relations: value x is in bin b where b is the number of
// cuts that are at most x. So x < cuts[b] is the same as bin <= b: what trees ask. Immutable once filled;
// copies share the bins.
class BinnedTable {
 public:
  explicit BinnedTable(std::uint32_t rows = 0) : rows_(rows) {}

  struct Column {
    std::vector<float> cuts;    // ascending
    std::vector<float> levels;  // what each bin stands for: the mean of its values; ascending
  };
  // Of bins that are there already, column by column. Every bin has a level.
  BinnedTable(std::uint32_t rows, std::vector<Column> columns, std::shared_ptr<const std::uint8_t[]> bins)
      : rows_(rows), columns_(std::move(columns)), bins_(std::move(bins)) {}

  // Makes the columns, of one value per row each: a bin for every distinct value where they are few, else by
  // quantiles of the rows. `what` names the rows in errors ("entity"). Throws kBadInput for a number that is
  // not finite. 2 <= most_bins <= kMostBins.
  void fill(std::span<const std::vector<float>> columns, std::string_view what, std::size_t most_bins,
            const Context& context);

  // The same with given cuts, ascending and at most kMostBins - 1 of them, for each column.
  void fill_at(std::span<const std::vector<float>> columns, std::span<const std::vector<float>> cuts,
               std::string_view what, const Context& context);

  std::uint32_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }
  std::span<const std::uint8_t> bins(std::size_t column) const {
    return {bins_.get() + column * rows_, rows_};
  }
  std::span<const float> cuts(std::size_t column) const { return columns_[column].cuts; }
  std::span<const float> levels(std::size_t column) const { return columns_[column].levels; }
  std::size_t bin_count(std::size_t column) const { return columns_[column].cuts.size() + 1; }

 private:
  std::uint32_t rows_;
  std::vector<Column> columns_;
  std::shared_ptr<const std::uint8_t[]> bins_;  // column by column
};

enum class TriplePart : std::uint8_t { kHead, kRelation, kTail };
inline constexpr std::size_t kTripleParts = 3;

// What the features of a triple are looked up in; heads and tails share a table.
struct SideTables {
  BinnedTable entities;
  BinnedTable relations;

  const BinnedTable& of(TriplePart part) const {
    return part == TriplePart::kRelation ? relations : entities;
  }
};

// All variables of some embedding (for a group of relations, features::group_embeddings): column v * dims + d
// is variable v of dimension d.
SideTables binned_variables(const TripleVariables& variables, std::size_t most_bins, const Context& context);
// With given cuts: those of the columns of entities, then of relations.
SideTables binned_variables(const TripleVariables& variables, std::span<const std::vector<float>> entity_cuts,
                            std::span<const std::vector<float>> relation_cuts, const Context& context);

}  // namespace greenkgc::features
