#include "model/tree_tensors.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "greenkgc/error.h"

namespace greenkgc::model {
namespace {

constexpr std::array<TriplePart, kTripleParts> kParts = {TriplePart::kHead, TriplePart::kRelation,
                                                         TriplePart::kTail};
constexpr std::size_t kNarrowColumns = 256;
constexpr std::size_t kMostNodes = (std::size_t{2} << kMostTreeDepth) - 1;

std::size_t column_count(const SideTables& tables) {
  return 2 * tables.entities.columns() + tables.relations.columns();
}

std::size_t number_of(const TripleColumn& column, const SideTables& tables) {
  std::size_t number = column.variable;
  for (const TriplePart part : kParts) {
    if (part == column.part) return number;
    number += tables.of(part).columns();
  }
  return number;
}

// The number is below column_count().
TripleColumn column_at(std::size_t number, const SideTables& tables) {
  for (const TriplePart part : kParts) {
    if (number < tables.of(part).columns()) return {part, static_cast<std::uint32_t>(number)};
    number -= tables.of(part).columns();
  }
  return {};
}

// The nodes of a tree level by level, by their places.
std::vector<std::uint8_t> level_order(const Tree& tree) {
  std::vector<std::uint8_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TreeNode& node = tree.nodes[order[i]];
    if (node.is_leaf()) continue;
    order.push_back(node.left);
    order.push_back(static_cast<std::uint8_t>(node.left + 1));
  }
  return order;
}

std::vector<std::uint16_t> read_columns(const SafetensorsFile& file, bool wide) {
  if (wide) {
    const auto columns = file.u16s("trees.columns");
    return {columns.begin(), columns.end()};
  }
  const auto columns = file.u8s("trees.columns", 1);
  return {columns.begin(), columns.end()};
}

class TreeReader {
 public:
  TreeReader(const SafetensorsFile& file, const SideTables& tables)
      : file_(file),
        tables_(tables),
        inner_(file.u8s("trees.inner", 1)),
        sizes_(file.u8s("trees.sizes", 1)),
        columns_(read_columns(file, column_count(tables) > kNarrowColumns)),
        bins_(file.u8s("trees.bins", 1)),
        values_(file.floats("trees.values", 1)) {}

  std::vector<TreeEnsemble> read(std::size_t ensembles) {
    const auto ends = file_.u64s("trees.ends");
    const auto base = file_.floats("trees.base", 1);
    if (ends.size() != ensembles || base.size() != ensembles)
      file_.fail(fmt::format("has {} groups, but trees of {} and base margins of {}", ensembles, ends.size(),
                             base.size()));
    std::vector<TreeEnsemble> all(ensembles);
    for (std::size_t g = 0; g < ensembles; ++g) {
      if (ends[g] < tree_ || ends[g] > sizes_.size())
        file_.fail(fmt::format("the trees of group {} end at {} of {}", g, ends[g], sizes_.size()));
      if (!std::isfinite(base[g])) file_.fail(fmt::format("the base margin of group {} is no number", g));
      all[g].base_margin = static_cast<double>(base[g]);
      while (tree_ < ends[g]) all[g].trees.push_back(next_tree());
    }
    if (tree_ != sizes_.size() || inner_.size() != (node_ + 7) / 8 || split_ != columns_.size() ||
        split_ != bins_.size() || leaf_ != values_.size())
      file_.fail("the tensors of trees are longer than the trees");
    return all;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { file_.fail(fmt::format("tree {}: {}", tree_, what)); }

  Tree next_tree() {
    const std::size_t size = sizes_[tree_];
    if (size == 0 || 8 * inner_.size() - node_ < size) fail("its nodes are not there");
    Tree tree;
    std::vector<std::uint8_t> depths = {0};
    for (std::size_t i = 0; i < size; ++i, ++node_) {
      if (i >= depths.size()) fail("some nodes have no parent");
      if ((inner_[node_ / 8] >> (node_ % 8) & 1) == 0) {
        tree.nodes.push_back(next_leaf());
        continue;
      }
      if (depths[i] == kMostTreeDepth) fail("is deeper than 7");
      tree.nodes.push_back(next_inner());
      tree.nodes.back().left = static_cast<std::uint8_t>(depths.size());
      depths.insert(depths.end(), 2, static_cast<std::uint8_t>(depths[i] + 1));
    }
    if (depths.size() != size) fail("some nodes lack children");
    ++tree_;
    return tree;
  }

  TreeNode next_leaf() {
    if (leaf_ >= values_.size() || !std::isfinite(values_[leaf_])) fail("a leaf has no finite value");
    TreeNode node;
    node.value = values_[leaf_++];
    return node;
  }

  TreeNode next_inner() {
    if (split_ >= columns_.size() || split_ >= bins_.size()) fail("an inner node has no column or bin");
    if (columns_[split_] >= column_count(tables_))
      fail(fmt::format("asks for column {} of {}", columns_[split_], column_count(tables_)));
    TreeNode node;
    node.column = column_at(columns_[split_], tables_);
    node.bin = bins_[split_++];
    const auto cuts = tables_.of(node.column.part).cuts(node.column.variable);
    if (node.bin >= cuts.size())
      fail(fmt::format("splits at bin {}, but there are {} cuts", node.bin, cuts.size()));
    node.threshold = cuts[node.bin];
    return node;
  }

  const SafetensorsFile& file_;
  const SideTables& tables_;
  std::span<const std::uint8_t> inner_;
  std::span<const std::uint8_t> sizes_;
  std::vector<std::uint16_t> columns_;
  std::span<const std::uint8_t> bins_;
  std::span<const float> values_;
  // What has been read.
  std::size_t tree_ = 0;
  std::size_t node_ = 0;
  std::size_t split_ = 0;
  std::size_t leaf_ = 0;
};

}  // namespace

TreeTensors::TreeTensors(std::span<const TreeEnsemble* const> ensembles, const SideTables& tables)
    : wide_(column_count(tables) > kNarrowColumns) {
  static_assert(kMostNodes <= 255, "the size of a tree is a byte");
  if (column_count(tables) > 65'535)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("a model file has at most 65,535 columns, not {}", column_count(tables)));
  for (const TreeEnsemble* ensemble : ensembles) {
    for (const Tree& tree : ensemble->trees) add(tree, tables);
    ends_.push_back(sizes_.size());
    base_.push_back(static_cast<float>(ensemble->base_margin));
  }
}

void TreeTensors::add(const Tree& tree, const SideTables& tables) {
  sizes_.push_back(static_cast<std::uint8_t>(tree.nodes.size()));
  for (const std::uint8_t place : level_order(tree)) {
    const TreeNode& node = tree.nodes[place];
    if (nodes_ % 8 == 0) inner_.push_back(0);
    const std::size_t bit = nodes_++ % 8;
    if (node.is_leaf()) {
      values_.push_back(node.value);
      continue;
    }
    inner_.back() = static_cast<std::uint8_t>(inner_.back() | 1U << bit);
    const std::size_t column = number_of(node.column, tables);
    if (wide_) wide_columns_.push_back(static_cast<std::uint16_t>(column));
    if (!wide_) columns_.push_back(static_cast<std::uint8_t>(column));
    bins_.push_back(node.bin);
  }
}

void TreeTensors::add_to(SafetensorsWriter& writer) const {
  const auto add = [&](const char* name, const auto& values) {
    writer.add(name, {values.size()}, std::span(values.data(), values.size()));
  };
  add("trees.inner", inner_);
  add("trees.sizes", sizes_);
  wide_ ? add("trees.columns", wide_columns_) : add("trees.columns", columns_);
  add("trees.bins", bins_);
  add("trees.values", values_);
  add("trees.ends", ends_);
  add("trees.base", base_);
}

std::vector<TreeEnsemble> read_trees(const SafetensorsFile& file, const SideTables& tables,
                                     std::size_t ensembles) {
  return TreeReader(file, tables).read(ensembles);
}

}  // namespace greenkgc::model
