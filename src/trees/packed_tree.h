#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace greenkgc::trees {

// A tree for walking down with many rows at once, without a branch: all leaves are equally deep (those that
// were not are repeated), and a row goes right where its value is above the limit.
template <class Value>
class PackedTree {
 public:
  struct Split {
    Value limit;
    std::uint16_t feature;
  };
  PackedTree(std::size_t depth, std::vector<Split> splits, std::vector<float> values)
      : depth_(depth), splits_(std::move(splits)), values_(std::move(values)) {}

  // Adds to each sum the value of its row's leaf; row i begins at rows[i * width].
  void add_values(const Value* rows, std::size_t width, std::span<float> sums) const {
    std::size_t row = 0;
    for (; row + kAtOnce <= sums.size(); row += kAtOnce)
      add_some<kAtOnce>(rows + row * width, width, sums.data() + row);
    for (; row < sums.size(); ++row) add_some<1>(rows + row * width, width, sums.data() + row);
  }

 private:
  static constexpr std::size_t kAtOnce = 8;  // enough to hide the latency of two dependent loads a level

  template <std::size_t Rows>
  void add_some(const Value* rows, std::size_t width, float* sums) const {
    std::array<std::uint32_t, Rows> at = {};
    for (std::size_t level = 0; level < depth_; ++level) {
      for (std::size_t i = 0; i < Rows; ++i) {
        const Split split = splits_[at[i]];
        at[i] = 2 * at[i] + 1 + (rows[i * width + split.feature] > split.limit ? 1U : 0U);
      }
    }
    for (std::size_t i = 0; i < Rows; ++i) sums[i] += values_[at[i] - splits_.size()];
  }

  std::size_t depth_;
  std::vector<Split> splits_;  // 2^depth - 1, level by level
  std::vector<float> values_;  // 2^depth
};

}  // namespace greenkgc::trees
