#include "trees/trees.h"

namespace greenkgc::trees {
namespace {

std::uint32_t id_of(const Triple& triple, features::TriplePart part) {
  switch (part) {
    case features::TriplePart::kHead:
      return index(triple.head);
    case features::TriplePart::kRelation:
      return index(triple.relation);
    default:
      return index(triple.tail);
  }
}

}  // namespace

std::uint8_t leaf_of(const Tree& tree, const features::SideTables& tables, const Triple& triple) {
  std::uint8_t at = 0;
  while (!tree.nodes[at].is_leaf()) {
    const TreeNode& node = tree.nodes[at];
    const auto bins = tables.of(node.column.part).bins(node.column.variable);
    at = static_cast<std::uint8_t>(node.left + (bins[id_of(triple, node.column.part)] > node.bin ? 1 : 0));
  }
  return at;
}

double margin_of(const TreeEnsemble& ensemble, const features::SideTables& tables, const Triple& triple) {
  double margin = ensemble.base_margin;
  for (const Tree& tree : ensemble.trees)
    margin += static_cast<double>(tree.nodes[leaf_of(tree, tables, triple)].value);
  return margin;
}

}  // namespace greenkgc::trees
