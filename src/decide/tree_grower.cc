#include "decide/tree_grower.h"

#include <algorithm>
#include <array>

#include "kernels/parallel.h"

namespace greenkgc::decide {
namespace {

constexpr std::size_t kRowsPerPiece = 1 << 16;

GradientSums total_of(std::span<const GradientPair> gradients, const Context& context) {
  std::vector<GradientSums> pieces((gradients.size() + kRowsPerPiece - 1) / kRowsPerPiece);
  parallel_for(context, gradients.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    GradientSums sums;
    for (const GradientPair& pair : gradients.subspan(begin, end - begin))
      sums += {pair.gradient, pair.hessian};
    pieces[begin / kRowsPerPiece] = sums;
  });
  GradientSums total;
  for (const GradientSums& piece : pieces) total += piece;
  return total;
}

}  // namespace

TreeGrower::TreeGrower(const model::SideTables& tables, const Samples& samples, const GrowthRule& rule)
    : tables_(tables),
      samples_(samples),
      rule_(rule),
      nodes_(samples.size()),
      sums_(samples, tables, nodes_, rule.table_bytes),
      plan_(tables, {}) {}

model::Tree TreeGrower::grow(std::span<const GradientPair> gradients,
                             std::span<const model::TripleColumn> columns, const Context& context) {
  start(columns);
  std::vector<Open> open = {
      {.node = 0, .sums = total_of(gradients, context), .rows = static_cast<double>(samples_.size())}};
  std::vector<Pair> pairs = {{0, kNone}};
  tree_.nodes.push_back({.value = value_of(open[0].sums)});
  for (std::size_t depth = 0; depth < rule_.depth && !plan_.columns().empty(); ++depth) {
    find_splits(open, pairs, gradients, context);
    split_nodes(open);
    if (open.empty()) break;
    open = open_children(open, pairs);
  }
  if (must_move_) sums_.move(routes_, context);
  return std::move(tree_);
}

void TreeGrower::start(std::span<const model::TripleColumn> columns) {
  plan_ = ColumnPlan(tables_, columns);
  tree_ = {};
  must_move_ = false;
  std::ranges::fill(nodes_, std::uint8_t{0});
  free_histograms_.clear();
  for (std::size_t h = 0; h < histograms_.size(); ++h) {
    histograms_[h].resize(plan_.total_bins());
    free_histograms_.push_back(h);
  }
}

float TreeGrower::value_of(const GradientSums& sums) const {
  return static_cast<float>(leaf_value(sums, rule_.split) * rule_.shrinkage);
}

std::size_t TreeGrower::take_histogram() {
  if (free_histograms_.empty()) {
    histograms_.emplace_back(plan_.total_bins());
    return histograms_.size() - 1;
  }
  const std::size_t taken = free_histograms_.back();
  free_histograms_.pop_back();
  return taken;
}

void TreeGrower::find_splits(std::vector<Open>& open, std::span<const Pair> pairs,
                             std::span<const GradientPair> gradients, const Context& context) {
  std::vector<NodeSums::Wanted> wanted;
  for (const Pair& pair : pairs) {
    wanted.push_back({open[pair.lighter].node, open[pair.lighter].rows});
    open[pair.lighter].histogram = take_histogram();
  }
  for (std::size_t first = 0; first < pairs.size();) {
    const std::size_t count = sums_.batch_size(std::span(wanted).subspan(first));
    sums_.collect(must_move_ ? &routes_ : nullptr, std::span(wanted).subspan(first, count), gradients,
                  context);
    must_move_ = false;
    find_batch_splits(open, pairs.subspan(first, count), context);
    first += count;
  }
}

void TreeGrower::find_batch_splits(std::vector<Open>& open, std::span<const Pair> pairs,
                                   const Context& context) {
  const auto chunks = plan_.chunks();
  std::vector<std::array<NodeSplit, 2>> best(pairs.size() * chunks.size());
  parallel_for(context, best.size(), 1, [&](std::size_t task, std::size_t) {
    const std::size_t i = task / chunks.size();
    const ColumnPlan::Chunk& chunk = chunks[task % chunks.size()];
    const Open& lighter = open[pairs[i].lighter];
    Histogram& histogram = histograms_[lighter.histogram];
    fill_histogram(plan_, chunk, sums_.entries(i, chunk.part), histogram);
    best[task][0] = best_split(plan_, chunk, histogram, lighter.sums, rule_.split);
    if (pairs[i].other == kNone) return;
    const Open& other = open[pairs[i].other];
    subtract_histogram(plan_, chunk, histogram, histograms_[other.histogram]);
    best[task][1] = best_split(plan_, chunk, histograms_[other.histogram], other.sums, rule_.split);
  });
  for (std::size_t task = 0; task < best.size(); ++task) {
    const Pair& pair = pairs[task / chunks.size()];
    const auto keep_better = [](NodeSplit& split, const NodeSplit& another) {
      if (another.gain > split.gain) split = another;
    };
    keep_better(open[pair.lighter].split, best[task][0]);
    if (pair.other != kNone) keep_better(open[pair.other].split, best[task][1]);
  }
}

// Those without a split stay leaves and leave the list.
void TreeGrower::split_nodes(std::vector<Open>& open) {
  std::erase_if(open, [this](const Open& node) {
    if (node.split.gain > 0) return false;
    free_histograms_.push_back(node.histogram);
    return true;
  });
  if (open.empty()) return;
  const auto& any = plan_.columns().front();
  for (std::size_t node = 0; node < routes_.size(); ++node)
    routes_[node] = {samples_.of(any.source.part).data(), any.bins.data(), 255,
                     static_cast<std::uint8_t>(node)};
  for (const Open& parent : open) {
    const ColumnPlan::Column& column = plan_.columns()[parent.split.column];
    const auto left = static_cast<std::uint8_t>(tree_.nodes.size());
    tree_.nodes[parent.node] = {.column = column.source,
                                .threshold = column.cuts[parent.split.bin],
                                .bin = parent.split.bin,
                                .left = left};
    tree_.nodes.push_back({.value = value_of(parent.split.left)});
    tree_.nodes.push_back({.value = value_of(parent.sums - parent.split.left)});
    routes_[parent.node] = {samples_.of(column.source.part).data(), column.bins.data(), parent.split.bin,
                            left};
  }
  must_move_ = true;
}

std::vector<TreeGrower::Open> TreeGrower::open_children(const std::vector<Open>& parents,
                                                        std::vector<Pair>& pairs) {
  std::vector<Open> children;
  pairs.clear();
  for (const Open& parent : parents) {
    const std::uint8_t left = tree_.nodes[parent.node].left;
    const std::array<GradientSums, 2> sums = {parent.split.left, parent.sums - parent.split.left};
    for (std::uint8_t side = 0; side < 2; ++side) {
      const double share = static_cast<double>(sums[side].hessian) / static_cast<double>(parent.sums.hessian);
      // The heavier child's histogram will be what is left of the parent's.
      children.push_back({.node = static_cast<std::uint8_t>(left + side),
                          .sums = sums[side],
                          .rows = parent.rows * share,
                          .histogram = parent.histogram});
    }
    const std::size_t lighter = children.size() - (sums[0].hessian <= sums[1].hessian ? 2 : 1);
    pairs.push_back({lighter, lighter == children.size() - 2 ? lighter + 1 : lighter - 1});
  }
  return children;
}

}  // namespace greenkgc::decide
