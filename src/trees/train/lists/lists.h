#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "trees/list_trees.h"

namespace greenkgc::trees {

// What list trees learn from: the candidates of each question, one row each, its features as bins and a label
// of 1 if it is an answer. Questions stand one after another; a byte per row and feature.
struct Lists {
  std::size_t features = 0;
  std::vector<std::uint8_t> bins;    // row by row
  std::vector<std::uint8_t> labels;  // by row
  std::vector<float> base;           // by row: what its margin begins with
  std::vector<std::uint64_t> ends;   // of each list, in rows

  std::size_t rows() const { return labels.size(); }
  std::size_t size() const { return ends.size(); }
  std::size_t begin(std::size_t list) const { return list == 0 ? 0 : ends[list - 1]; }
  std::size_t end(std::size_t list) const { return ends[list]; }

  // One more list: `values` has a finite number per row and feature, row by row. Throws kBadInput for others.
  // Without `row_base`, margins begin with 0.
  void add(const trees::FeatureCuts& cuts, std::span<const float> values,
           std::span<const std::uint8_t> row_labels, std::span<const float> row_base = {});
  // All of another, which has the same features.
  void append(const Lists& other);
  // One of its lists.
  void append(const Lists& other, std::size_t list);
  // Rows alone, which belong to no list until its end is added.
  void append_rows(const Lists& other, std::size_t first, std::size_t last);
};

// Cuts of each feature by quantiles of some rows. Throws kBadInput for a number that is not finite.
trees::FeatureCuts cuts_of_rows(std::span<const float> values, std::size_t features, std::size_t most_bins,
                                const Context& context);

}  // namespace greenkgc::trees
