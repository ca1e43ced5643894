#include "trees/train/tree_grower.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "greenkgc/error.h"

namespace greenkgc::trees {
namespace {

constexpr std::size_t kRowsLookedAt = 4096;
constexpr double kManyLeftOut = 0.125;  // so many that it pays to tell them apart

// The share of rows that do not count, about.
double share_left_out(std::span<const simd::GradientPair> gradients) {
  const std::size_t rows = std::min(gradients.size(), kRowsLookedAt);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < rows; ++i)
    left_out += gradients[i * gradients.size() / rows].hessian == 0 ? 1 : 0;
  return rows == 0 ? 0 : static_cast<double>(left_out) / static_cast<double>(rows);
}

}  // namespace

TreeGrower::TreeGrower(const features::SideTables& tables, const Samples& samples, const GrowthRule& rule)
    : tables_(tables),
      rule_(rule),
      router_(samples, tables),
      sums_(samples, router_, rule.table_bytes),
      plan_(tables, {}) {
  if (router_.keys().size() > simd::RowRoutes::kMostKeys)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("trees can be grown over at most {} entities", simd::RowRoutes::kMostKeys / 2));
}

trees::Tree TreeGrower::grow(std::span<const simd::GradientPair> gradients,
                             std::span<const trees::TripleColumn> columns, const Context& context,
                             const RowsSettled& on_settled) {
  start(columns, context);
  const double left_out = share_left_out(gradients);
  const NodeSums::Gradients of_rows{gradients, left_out > kManyLeftOut};
  std::vector<Open> open = {
      {.node = 0,
       .slot = 0,
       .sums = collect_root((1 - left_out) * static_cast<double>(gradients.size()), of_rows, context),
       .rows = 0}};
  std::vector<Pair> pairs = {{0, kNone}};
  tree_.nodes.push_back({.value = value_of(open[0].sums)});
  for (std::size_t depth = 0; depth < rule_.depth && !plan_.columns().empty(); ++depth) {
    find_splits(open, pairs, depth + 1 == rule_.depth, of_rows, context);
    split_nodes(open, context);
    if (open.empty()) break;
    open = open_children(open, pairs);
  }
  router_.settle(node_of_slot_, context, [&](std::size_t begin, std::size_t end) {
    if (on_settled) on_settled(tree_, begin, end);
  });
  return std::move(tree_);
}

simd::GradientSums TreeGrower::collect_root(double rows, const NodeSums::Gradients& gradients,
                                            const Context& context) {
  const NodeSums::Wanted root{0, rows};
  sums_.collect({&root, 1}, gradients, context);
  const simd::SumEntries by_relation = sums_.entries(0, TriplePart::kRelation);
  simd::GradientSums total;
  for (std::size_t i = 0; i < by_relation.ids.size(); ++i) total += by_relation.sums[i];
  return total;
}

void TreeGrower::start(std::span<const trees::TripleColumn> columns, const Context& context) {
  plan_ = ColumnPlan(tables_, columns);
  tree_ = {};
  node_of_slot_ = {};
  router_.start(context);
  free_histograms_.clear();
  for (std::size_t h = 0; h < histograms_.size(); ++h) {
    histograms_[h].resize(plan_.total_bins());
    free_histograms_.push_back(h);
  }
}

float TreeGrower::value_of(const simd::GradientSums& sums) const {
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

void TreeGrower::find_splits(std::vector<Open>& open, std::span<const Pair> pairs, bool last_level,
                             const NodeSums::Gradients& gradients, const Context& context) {
  std::vector<NodeSums::Wanted> wanted;
  for (const Pair& pair : pairs) {
    wanted.push_back({open[pair.smaller].slot, open[pair.smaller].rows});
    open[pair.smaller].histogram = last_level ? kNone : take_histogram();
  }
  if (pairs[0].other == kNone) return find_batch_splits(open, pairs, context);  // the root's are collected
  for (std::size_t first = 0; first < pairs.size();) {
    const std::size_t count = sums_.batch_size(std::span(wanted).subspan(first), context);
    sums_.collect(std::span(wanted).subspan(first, count), gradients, context);
    find_batch_splits(open, pairs.subspan(first, count), context);
    first += count;
  }
}

std::vector<SiblingScan> TreeGrower::scans_of(const std::vector<Open>& open, std::span<const Pair> pairs,
                                              std::span<const std::size_t> chosen) {
  const auto node_of = [&](std::size_t i) -> SiblingScan::Node {
    if (i == kNone) return {};
    return {open[i].sums, open[i].histogram == kNone ? nullptr : &histograms_[open[i].histogram]};
  };
  std::vector<SiblingScan> scans;
  for (const std::size_t i : chosen) scans.push_back({node_of(pairs[i].smaller), node_of(pairs[i].other)});
  return scans;
}

void TreeGrower::find_batch_splits(std::vector<Open>& open, std::span<const Pair> pairs,
                                   const Context& context) {
  const auto chunks = plan_.chunks();
  const auto groups = sums_.groups();
  std::vector<std::vector<SiblingScan>> scans(groups.size() * chunks.size());
  parallel_for(context, scans.size(), 1, [&](std::size_t task, std::size_t) {
    const std::size_t group = task / chunks.size();
    const ColumnPlan::Chunk& chunk = chunks[task % chunks.size()];
    scans[task] = scans_of(open, pairs, groups[group].nodes);
    scan_columns(plan_, chunk, sums_.entries(group, chunk.part), rule_.split, scans[task]);
  });
  for (std::size_t task = 0; task < scans.size(); ++task) {
    for (std::size_t i = 0; i < scans[task].size(); ++i) {
      const auto keep_better = [&open](std::size_t node, const NodeSplit& split) {
        if (node != kNone && split.gain > open[node].split.gain) open[node].split = split;
      };
      const Pair& pair = pairs[groups[task / chunks.size()].nodes[i]];
      keep_better(pair.smaller, scans[task][i].summed.best);
      keep_better(pair.other, scans[task][i].other.best);
    }
  }
}

// Those without a split stay leaves and leave the list.
void TreeGrower::split_nodes(std::vector<Open>& open, const Context& context) {
  std::erase_if(open, [this](const Open& node) {
    if (node.split.gain > 0) return false;
    if (node.histogram != kNone) free_histograms_.push_back(node.histogram);
    return true;
  });
  if (open.empty()) return;
  std::vector<NodeRoute> routes;
  std::array<std::uint8_t, 256> nodes = {};
  for (std::size_t slot = 0; slot < nodes.size() / 2; ++slot) nodes[2 * slot] = node_of_slot_[slot];
  for (const Open& parent : open) {
    const ColumnPlan::Column& column = plan_.columns()[parent.split.column];
    const auto left = static_cast<std::uint8_t>(tree_.nodes.size());
    tree_.nodes[parent.node] = {.column = column.source,
                                .threshold = column.cuts[parent.split.bin],
                                .bin = parent.split.bin,
                                .left = left};
    tree_.nodes.push_back({.value = value_of(parent.split.left)});
    tree_.nodes.push_back({.value = value_of(parent.sums - parent.split.left)});
    routes.push_back({parent.slot, column.source.part, column.bins, parent.split.bin});
    nodes[std::size_t{2} * parent.slot] = left;
    nodes[std::size_t{2} * parent.slot + 1] = static_cast<std::uint8_t>(left + 1);
  }
  node_of_slot_ = nodes;
  router_.set_routes(routes, context);
}

std::vector<TreeGrower::Open> TreeGrower::open_children(const std::vector<Open>& parents,
                                                        std::vector<Pair>& pairs) {
  // Not by share of the hessian: the many rows that are already told apart have next to none.
  const std::array<double, 256> rows = router_.expected_rows();
  std::vector<Open> children;
  pairs.clear();
  for (const Open& parent : parents) {
    const std::uint8_t left = tree_.nodes[parent.node].left;
    const auto right = static_cast<std::uint8_t>(left + 1);
    const auto left_slot = static_cast<std::uint8_t>(2 * parent.slot);
    const auto right_slot = static_cast<std::uint8_t>(left_slot + 1);
    // The histogram of the child with more rows will be what is left of the parent's.
    children.push_back({left, left_slot, parent.split.left, rows[left_slot], parent.histogram});
    children.push_back(
        {right, right_slot, parent.sums - parent.split.left, rows[right_slot], parent.histogram});
    const std::size_t at = children.size() - 2;
    pairs.push_back(rows[left_slot] <= rows[right_slot] ? Pair{at, at + 1} : Pair{at + 1, at});
  }
  return children;
}

}  // namespace greenkgc::trees
