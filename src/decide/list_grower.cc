#include "decide/list_grower.h"

#include <algorithm>
#include <array>

#include "kernels/fill_row_bins.h"
#include "kernels/parallel.h"
#include "model/binned_table.h"

namespace greenkgc::decide {

using model::ListTree;

ListGrower::ListGrower(const Lists& lists, const model::FeatureCuts& cuts, const Rule& rule)
    : lists_(lists), cuts_(cuts), rule_(rule) {}

ListTree ListGrower::grow(std::span<const GradientPair> gradients, std::vector<std::uint32_t> rows,
                          std::span<const std::uint16_t> columns, const Context& context) {
  plan_columns(columns);
  rows_ = std::move(rows);
  aside_.resize(rows_.size());
  Open root{.node = 0, .begin = 0, .end = rows_.size(), .sums = sum_all(gradients)};
  tree_.nodes.assign(1, {.value = value_of(root.sums)});
  std::vector<Open> open = {root};
  std::vector<Pair> pairs = {{.smaller = 0}};
  for (std::size_t level = 0; level < rule_.depth && !open.empty(); ++level) {
    find_splits(gradients, pairs, open, context);
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

GradientSums ListGrower::sum_all(std::span<const GradientPair> gradients) const {
  GradientSums sums;
  for (const std::uint32_t row : rows_) {
    sums.gradient += gradients[row].gradient;
    sums.hessian += gradients[row].hessian;
  }
  return sums;
}

float ListGrower::value_of(const GradientSums& sums) const {
  return static_cast<float>(leaf_value(sums, rule_.split) * rule_.shrinkage);
}

// Whether two children can have the least weight each.
bool ListGrower::may_split(const Open& node) const {
  const double weight = static_cast<double>(node.sums.hessian) / kGradientUnit;
  return node.end - node.begin >= 2 && weight >= 2 * rule_.split.min_child_weight;
}

std::size_t ListGrower::take_histogram() {
  if (free_histograms_.empty()) {
    histograms_.emplace_back(total_bins_);
    return histograms_.size() - 1;
  }
  const std::size_t taken = free_histograms_.back();
  free_histograms_.pop_back();
  std::fill(histograms_[taken].begin(), histograms_[taken].end(), GradientSums{});
  return taken;
}

void ListGrower::fill(std::span<const GradientPair> gradients, const Open& node, std::size_t begin) {
  std::array<std::size_t, kColumnsAtOnce> columns;
  std::array<GradientSums*, kColumnsAtOnce> sums;
  std::array<GradientSums, model::kMostBins> unused;
  for (std::size_t i = 0; i < kColumnsAtOnce; ++i) {
    const bool used = begin + i < columns_.size();
    const Column& column = columns_[used ? begin + i : begin];
    columns[i] = column.feature;
    sums[i] = used ? histograms_[node.histogram].data() + column.offset : unused.data();
  }
  fill_row_bins(std::span(rows_).subspan(node.begin, node.end - node.begin),
                {lists_.bins.data(), lists_.features}, gradients.data(), columns, sums);
}

void ListGrower::scan(std::size_t begin, const Open& node, NodeSplit& best) const {
  const std::size_t end = std::min(begin + kColumnsAtOnce, columns_.size());
  for (std::size_t c = begin; c < end; ++c) {
    const std::span bins =
        std::span(histograms_[node.histogram]).subspan(columns_[c].offset, columns_[c].bins);
    find_split(bins, node.sums, rule_.split, static_cast<std::uint32_t>(c), best);
  }
}

void ListGrower::find_splits(std::span<const GradientPair> gradients, std::span<const Pair> pairs,
                             std::vector<Open>& open, const Context& context) {
  for (const Pair& pair : pairs) open[pair.smaller].histogram = take_histogram();
  const std::size_t chunks = (columns_.size() + kColumnsAtOnce - 1) / kColumnsAtOnce;
  struct Found {
    NodeSplit smaller;
    NodeSplit larger;
  };
  std::vector<Found> found(pairs.size() * chunks);
  parallel_for(context, found.size(), 1, [&](std::size_t task, std::size_t) {
    const Pair& pair = pairs[task / chunks];
    const std::size_t begin = task % chunks * kColumnsAtOnce;
    const Open& smaller = open[pair.smaller];
    fill(gradients, smaller, begin);
    if (may_split(smaller)) scan(begin, smaller, found[task].smaller);
    if (pair.larger == kNone) return;
    const Open& larger = open[pair.larger];
    const Column& last = columns_[std::min(begin + kColumnsAtOnce, columns_.size()) - 1];
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
void ListGrower::divide_rows(Open& parent, std::size_t& middle) {
  const std::size_t feature = columns_[parent.split.column].feature;
  std::size_t left = parent.begin;
  std::size_t right = parent.begin;
  for (std::size_t i = parent.begin; i < parent.end; ++i) {
    const std::uint32_t row = rows_[i];
    const bool goes_right = lists_.bins[row * lists_.features + feature] > parent.split.bin;
    rows_[left] = row;
    aside_[right] = row;
    left += goes_right ? 0 : 1;
    right += goes_right ? 1 : 0;
  }
  middle = left;
  std::copy(aside_.begin() + static_cast<std::ptrdiff_t>(parent.begin),
            aside_.begin() + static_cast<std::ptrdiff_t>(right),
            rows_.begin() + static_cast<std::ptrdiff_t>(middle));
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
    model::ListTreeNode& node = tree_.nodes[parent.node];
    node = {.feature = columns_[parent.split.column].feature, .left = left, .bin = parent.split.bin};
    tree_.nodes.push_back({.value = value_of(parent.split.left)});
    tree_.nodes.push_back({.value = value_of(parent.sums - parent.split.left)});
  }
  pairs.clear();
  std::vector<Open> children;
  if (last_level) return children;
  std::vector<std::size_t> middles(open.size());
  parallel_for(context, open.size(), 1,
               [&](std::size_t i, std::size_t) { divide_rows(open[i], middles[i]); });
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

}  // namespace greenkgc::decide
