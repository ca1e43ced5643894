#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "model/decisions.h"

namespace greenkgc::rank {

struct DecisionsSize {
  std::uint32_t entities = 300;
  std::uint32_t relations = 5;
  std::size_t dims = 3;  // of RotatE: two columns per entity, one per relation
  std::uint32_t groups = 2;
  std::size_t trees = 20;  // per group
  std::size_t depth = 5;
  double leaf_rate = 0.1;  // how likely a node above that depth is a leaf
};

// For tests and benchmarks: random tables and trees.
class RandomDecisions {
 public:
  explicit RandomDecisions(const DecisionsSize& size, std::uint64_t seed = 1) : size_(size), random_(seed) {}

  model::Decisions make() {
    model::Decisions decisions;
    decisions.tables = {table(size_.entities, 2 * size_.dims), table(size_.relations, size_.dims)};
    for (std::uint32_t r = 0; r < size_.relations; ++r) decisions.group_of.push_back(r % size_.groups);
    for (std::uint32_t g = 0; g < size_.groups; ++g) {
      auto& group = decisions.groups.emplace_back();
      group.trees.base_margin = uniform() - 0.5;
      for (std::size_t t = 0; t < size_.trees; ++t) group.trees.trees.push_back(tree(decisions.tables));
    }
    return decisions;
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>()(random_); }

  features::BinnedTable table(std::uint32_t rows, std::size_t columns) {
    std::vector<std::vector<float>> values(columns, std::vector<float>(rows));
    for (auto& column : values) {
      for (float& x : column) x = static_cast<float>(uniform());
    }
    features::BinnedTable binned(rows);
    binned.fill(values, "row", features::kMostBins, Context{});
    return binned;
  }

  trees::Tree tree(const features::SideTables& tables) {
    trees::Tree tree;
    tree.nodes.emplace_back();
    split(tree, tables, 0, 0);
    return tree;
  }

  void split(trees::Tree& tree, const features::SideTables& tables, std::size_t at, std::size_t depth) {
    if (depth == size_.depth || uniform() < size_.leaf_rate) {
      tree.nodes[at].value = static_cast<float>(uniform() - 0.5);
      return;
    }
    const auto [part, variable] = tree.nodes[at].column = column(tables);
    const std::size_t bins = tables.of(part).bin_count(variable);
    tree.nodes[at].bin = static_cast<std::uint8_t>(random_() % std::max<std::size_t>(1, bins - 1));
    const std::size_t left = tree.nodes.size();
    tree.nodes[at].left = static_cast<std::uint8_t>(left);
    tree.nodes.resize(left + 2);
    split(tree, tables, left, depth + 1);
    split(tree, tables, left + 1, depth + 1);
  }

  // Any of a triple's columns.
  trees::TripleColumn column(const features::SideTables& tables) {
    const std::size_t entity = tables.entities.columns();
    const std::size_t relation = tables.relations.columns();
    const auto c = static_cast<std::uint32_t>(random_() % (2 * entity + relation));
    if (c < entity) return {features::TriplePart::kHead, c};
    const auto rest = c - static_cast<std::uint32_t>(entity);
    if (rest < entity) return {features::TriplePart::kTail, rest};
    return {features::TriplePart::kRelation, rest - static_cast<std::uint32_t>(entity)};
  }

  const DecisionsSize size_;
  std::mt19937_64 random_;
};

}  // namespace greenkgc::rank
