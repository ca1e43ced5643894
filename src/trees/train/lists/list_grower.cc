#include "trees/train/lists/list_grower.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.h"
#include "features/binned_table.h"
#include "simd/trees/fill_row_bins.h"

namespace greenkgc::trees {

using trees::ListTree;

namespace {

constexpr std::size_t kGrownRowsPerPiece = 1 << 15;

}  // namespace

ListGrower::ListGrower(const Lists& lists, const trees::FeatureCuts& cuts, const Rule& rule)
    : lists_(lists), cuts_(cuts), rule_(rule) {}

ListTree ListGrower::grow(std::span<const simd::GradientPair> gradients, std::span<const std::uint32_t> rows,
                          std::span<const std::uint16_t> columns, const Context& context) {
  plan_columns(columns);
  copy_rows(gradients, rows, context);
  Open root{.node = 0, .begin = 0, .end = rows_.size(), .sums = sum_all()};
  tree_.nodes.assign(1, {.value = value_of(root.sums)});
  std::vector<Open> open = {root};
  std::vector<Pair> pairs = {{.smaller = 0}};
  for (std::size_t level = 0; level < rule_.depth && !open.empty(); ++level) {
    find_splits(pairs, open, context);
    open = split_nodes(open, level + 1 == rule_.depth, pairs, context);
  }
  return std::move(tree_);
}

// Features that are constant are left out.
void ListGrower::plan_columns(std::span<const std::uint16_t> features) {
  columns_.clear();
  total_bins_ = 0;
  for (const std::uint16_t feature : features) {
    const std::size_t bins = cuts_[feature].size() + 1;
    if (bins < 2) continue;
    columns_.push_back({feature, total_bins_, bins});
    total_bins_ += bins;
  }
  histograms_.clear();
  free_histograms_.clear();
}

void ListGrower::copy_rows(std::span<const simd::GradientPair> gradients, std::span<const std::uint32_t> rows,
                           const Context& context) {
  const std::size_t width = columns_.size();
  bins_.resize(rows.size() * width);
  gradients_.resize(rows.size());
  rows_.resize(rows.size());
  aside_.resize(rows.size());
  parallel_for(context, rows.size(), kGrownRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint8_t* const from = lists_.bins.data() + rows[i] * lists_.features;
      for (std::size_t c = 0; c < width; ++c) bins_[i * width + c] = from[columns_[c].feature];
      gradients_[i] = gradients[rows[i]];
      rows_[i] = static_cast<std::uint32_t>(i);
    }
  });
}

simd::GradientSums ListGrower::sum_all() const {
  simd::GradientSums sums;
  for (const simd::GradientPair& own : gradients_) {
    sums.gradient += own.gradient;
    sums.hessian += own.hessian;
  }
  return sums;
}

float ListGrower::value_of(const simd::GradientSums& sums) const {
  return static_cast<float>(leaf_value(sums, rule_.split) * rule_.shrinkage);
}

// Whether two children can have the least weight each.
bool ListGrower::may_split(const Open& node) const {
  const double weight = static_cast<double>(node.sums.hessian) / simd::kGradientUnit;
  return node.end - node.begin >= 2 && weight >= 2 * rule_.split.min_child_weight;
}

std::size_t ListGrower::take_histogram() {
  if (free_histograms_.empty()) {
    histograms_.emplace_back(total_bins_);
    return histograms_.size() - 1;
  }
  const std::size_t taken = free_histograms_.back();
  free_histograms_.pop_back();
  std::fill(histograms_[taken].begin(), histograms_[taken].end(), simd::GradientSums{});
  return taken;
}

void ListGrower::fill(const Open& node, std::size_t begin) {
  std::array<std::size_t, simd::kColumnsAtOnce> columns;
  std::array<simd::GradientSums*, simd::kColumnsAtOnce> sums;
  std::array<simd::GradientSums, features::kMostBins> unused;
  for (std::size_t i = 0; i < simd::kColumnsAtOnce; ++i) {
    const bool used = begin + i < columns_.size();
    columns[i] = used ? begin + i : begin;
    sums[i] = used ? histograms_[node.histogram].data() + columns_[columns[i]].offset : unused.data();
  }
  simd::fill_row_bins(std::span(rows_).subspan(node.begin, node.end - node.begin),
                      {bins_.data(), columns_.size()}, gradients_.data(), columns, sums);
}

void ListGrower::scan(std::size_t begin, const Open& node, NodeSplit& best) const {
  const std::size_t end = std::min(begin + simd::kColumnsAtOnce, columns_.size());
  for (std::size_t c = begin; c < end; ++c) {
    const std::span bins =
        std::span(histograms_[node.histogram]).subspan(columns_[c].offset, columns_[c].bins);
    find_split(bins, node.sums, rule_.split, static_cast<std::uint32_t>(c), best);
  }
}

void ListGrower::find_splits(std::span<const Pair> pairs, std::vector<Open>& open, const Context& context) {
  for (const Pair& pair : pairs) open[pair.smaller].histogram = take_histogram();
  const std::size_t chunks = (columns_.size() + simd::kColumnsAtOnce - 1) / simd::kColumnsAtOnce;
  struct Found {
    NodeSplit smaller;
    NodeSplit larger;
  };
  std::vector<Found> found(pairs.size() * chunks);
  parallel_for(context, found.size(), 1, [&](std::size_t task, std::size_t) {
    const Pair& pair = pairs[task / chunks];
    const std::size_t begin = task % chunks * simd::kColumnsAtOnce;
    const Open& smaller = open[pair.smaller];
    fill(smaller, begin);
    if (may_split(smaller)) scan(begin, smaller, found[task].smaller);
    if (pair.larger == kNone) return;
    const Open& larger = open[pair.larger];
    const Column& last = columns_[std::min(begin + simd::kColumnsAtOnce, columns_.size()) - 1];
    const Histogram& taken = histograms_[smaller.histogram];
    Histogram& rest = histograms_[larger.histogram];
    for (std::size_t bin = columns_[begin].offset; bin < last.offset + last.bins; ++bin)
      rest[bin] -= taken[bin];
    if (may_split(larger)) scan(begin, larger, found[task].larger);
  });
  const auto keep_better = [](const NodeSplit& split, NodeSplit& best) {
    if (split.gain > best.gain) best = split;
  };
  for (std::size_t task = 0; task < found.size(); ++task) {
    const Pair& pair = pairs[task / chunks];
    keep_better(found[task].smaller, open[pair.smaller].split);
    if (pair.larger != kNone) keep_better(found[task].larger, open[pair.larger].split);
  }
}

// Stable, so that rows stay ascending and are read in order.
std::vector<std::size_t> ListGrower::divide_rows(std::span<const Open> open, const Context& context) {
  std::vector<Piece> pieces;
  for (const Open& node : open) {
    for (std::size_t begin = node.begin; begin < node.end; begin += kGrownRowsPerPiece)
      pieces.push_back({&node, begin, std::min(begin + kGrownRowsPerPiece, node.end)});
  }
  parallel_for(context, pieces.size(), 1, [&](std::size_t p, std::size_t) {
    Piece& piece = pieces[p];
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      piece.right += goes_right(*piece.node, rows_[i]) ? 1 : 0;
  });
  // From how many go right to where they go.
  std::vector<std::size_t> middles;
  auto piece = pieces.begin();
  for (const Open& node : open) {
    const auto first = piece;
    std::size_t left = node.begin;
    for (; piece != pieces.end() && piece->node == &node; ++piece) {
      piece->left = left;
      left += piece->end - piece->begin - piece->right;
    }
    middles.push_back(left);
    for (auto own = first; own != piece; ++own) left += std::exchange(own->right, left);
  }
  parallel_for(context, pieces.size(), 1, [&](std::size_t p, std::size_t) {
    const Piece& own = pieces[p];
    std::array<std::size_t, 2> next = {own.left, own.right};
    for (std::size_t i = own.begin; i < own.end; ++i)
      aside_[next[goes_right(*own.node, rows_[i]) ? 1 : 0]++] = rows_[i];
  });
  std::swap(rows_, aside_);
  return middles;
}

// Those without a split stay leaves. Returns the children that may be split, with their pairs.
std::vector<ListGrower::Open> ListGrower::split_nodes(std::vector<Open>& open, bool last_level,
                                                      std::vector<Pair>& pairs, const Context& context) {
  std::erase_if(open, [this](const Open& node) {
    if (node.split.gain > 0) return false;
    free_histograms_.push_back(node.histogram);
    return true;
  });
  for (Open& parent : open) {
    const auto left = static_cast<std::uint16_t>(tree_.nodes.size());
    trees::ListTreeNode& node = tree_.nodes[parent.node];
    node = {.feature = columns_[parent.split.column].feature, .left = left, .bin = parent.split.bin};
    tree_.nodes.push_back({.value = value_of(parent.split.left)});
    tree_.nodes.push_back({.value = value_of(parent.sums - parent.split.left)});
  }
  pairs.clear();
  std::vector<Open> children;
  if (last_level) return children;
  const std::vector<std::size_t> middles = divide_rows(open, context);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Open& parent = open[i];
    const std::uint16_t left = tree_.nodes[parent.node].left;
    std::array<Open, 2> both = {
        {{.node = left, .begin = parent.begin, .end = middles[i], .sums = parent.split.left},
         {.node = static_cast<std::uint16_t>(left + 1),
          .begin = middles[i],
          .end = parent.end,
          .sums = parent.sums - parent.split.left}}};
    if (!may_split(both[0]) && !may_split(both[1])) {
      free_histograms_.push_back(parent.histogram);
      continue;
    }
    const std::size_t at = children.size();
    const bool left_is_smaller = middles[i] - parent.begin <= parent.end - middles[i];
    both[left_is_smaller ? 1 : 0].histogram = parent.histogram;
    pairs.push_back(left_is_smaller ? Pair{at, at + 1} : Pair{at + 1, at});
    children.insert(children.end(), both.begin(), both.end());
  }
  return children;
}

}  // namespace greenkgc::trees
