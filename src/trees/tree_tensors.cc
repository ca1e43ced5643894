#include "trees/tree_tensors.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "greenkgc/error.h"

namespace greenkgc::trees {
namespace {

constexpr std::array<features::TriplePart, features::kTripleParts> kParts = {
    features::TriplePart::kHead, features::TriplePart::kRelation, features::TriplePart::kTail};
constexpr std::size_t kNarrowColumns = 256;
constexpr std::size_t kMostNodes = (std::size_t{2} << kMostTreeDepth) - 1;

std::size_t column_count(const features::SideTables& tables) {
  return 2 * tables.entities.columns() + tables.relations.columns();
}

std::size_t number_of(const TripleColumn& column, const features::SideTables& tables) {
  std::size_t number = column.variable;
  for (const features::TriplePart part : kParts) {
    if (part == column.part) return number;
    number += tables.of(part).columns();
  }
  return number;
}

// The number is below column_count().
TripleColumn column_at(std::size_t number, const features::SideTables& tables) {
  for (const features::TriplePart part : kParts) {
    if (number < tables.of(part).columns()) return {part, static_cast<std::uint32_t>(number)};
    number -= tables.of(part).columns();
  }
  return {};
}

std::vector<std::uint16_t> read_columns(const tensors::SafetensorsFile& file, bool wide) {
  if (wide) {
    const auto columns = file.u16s("trees.columns");
    return {columns.begin(), columns.end()};
  }
  const auto columns = file.u8s("trees.columns", 1);
  return {columns.begin(), columns.end()};
}

}  // namespace

TreeTensors::TreeTensors(std::span<const TreeEnsemble* const> ensembles, const features::SideTables& tables)
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

void TreeTensors::add(const Tree& tree, const features::SideTables& tables) {
  sizes_.push_back(static_cast<std::uint8_t>(tree.nodes.size()));
  nodes_.add(tree, [&](const TreeNode& node) {
    const std::size_t column = number_of(node.column, tables);
    if (wide_) wide_columns_.push_back(static_cast<std::uint16_t>(column));
    if (!wide_) columns_.push_back(static_cast<std::uint8_t>(column));
  });
}

void TreeTensors::add_to(tensors::SafetensorsWriter& writer) const {
  const auto add = [&](const char* name, const auto& values) {
    writer.add(name, {values.size()}, std::span(values.data(), values.size()));
  };
  add("trees.inner", nodes_.inner());
  add("trees.sizes", sizes_);
  wide_ ? add("trees.columns", wide_columns_) : add("trees.columns", columns_);
  add("trees.bins", nodes_.bins());
  add("trees.values", nodes_.values());
  add("trees.ends", ends_);
  add("trees.base", base_);
}

std::vector<TreeEnsemble> read_trees(const tensors::SafetensorsFile& file, const features::SideTables& tables,
                                     std::size_t ensembles) {
  const auto sizes = file.u8s("trees.sizes", 1);
  const auto columns = read_columns(file, column_count(tables) > kNarrowColumns);
  const auto ends = file.u64s("trees.ends");
  const auto base = file.floats("trees.base", 1);
  if (ends.size() != ensembles || base.size() != ensembles)
    file.fail(
        fmt::format("has {} groups, but trees of {} and priors of {}", ensembles, ends.size(), base.size()));
  NodeReader nodes(file, "trees.");
  const auto make_split = [&](std::size_t k, std::uint8_t bin) {
    if (k >= columns.size()) nodes.fail("an inner node has no column");
    if (columns[k] >= column_count(tables))
      nodes.fail(fmt::format("refers to column {} of {}", columns[k], column_count(tables)));
    TreeNode node;
    node.column = column_at(columns[k], tables);
    node.bin = bin;
    const auto cuts = tables.of(node.column.part).cuts(node.column.variable);
    if (bin >= cuts.size())
      nodes.fail(fmt::format("splits at bin {}, but there are {} cuts", bin, cuts.size()));
    node.threshold = cuts[bin];
    return node;
  };
  std::vector<TreeEnsemble> all(ensembles);
  for (std::size_t g = 0; g < ensembles; ++g) {
    if (ends[g] < nodes.trees() || ends[g] > sizes.size())
      file.fail(fmt::format("the trees of group {} end at {} of {}", g, ends[g], sizes.size()));
    if (!std::isfinite(base[g])) file.fail(fmt::format("the prior of group {} is not a number", g));
    all[g].base_margin = static_cast<double>(base[g]);
    while (nodes.trees() < ends[g])
      all[g].trees.push_back(nodes.next<Tree>(sizes[nodes.trees()], kMostTreeDepth, make_split));
  }
  if (nodes.trees() != sizes.size()) file.fail("the tensors of trees are longer than the trees");
  nodes.expect_end(columns.size());
  return all;
}

}  // namespace greenkgc::trees
