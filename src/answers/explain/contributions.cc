#include "answers/explain/contributions.h"

#include <cmath>
#include <map>

#include "model/base_margins.h"

namespace greenkgc::answers {
namespace {

// The mean of the leaves below each node. Children stand behind their parents.
std::vector<double> node_values(const trees::Tree& tree) {
  std::vector<double> sums(tree.nodes.size());
  std::vector<double> leaves(tree.nodes.size());
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const trees::TreeNode& node = tree.nodes[n];
    if (node.is_leaf()) {
      sums[n] = static_cast<double>(node.value);
      leaves[n] = 1;
    } else {
      const std::size_t left = node.left;
      sums[n] = sums[left] + sums[left + 1];
      leaves[n] = leaves[left] + leaves[left + 1];
    }
  }
  for (std::size_t n = 0; n < sums.size(); ++n) sums[n] /= leaves[n];
  return sums;
}

std::uint32_t row_of(const Triple& fact, features::TriplePart part) {
  switch (part) {
    case features::TriplePart::kHead:
      return index(fact.head);
    case features::TriplePart::kRelation:
      return index(fact.relation);
    default:
      return index(fact.tail);
  }
}

double& part_of(Contribution& contribution, features::TriplePart part) {
  switch (part) {
    case features::TriplePart::kHead:
      return contribution.head;
    case features::TriplePart::kRelation:
      return contribution.relation;
    default:
      return contribution.tail;
  }
}

}  // namespace

TreeContributions contributions_of(const model::Decisions& decisions, const Triple& fact) {
  TreeContributions result;
  std::map<std::uint32_t, Contribution> by_dimension;
  for (const trees::Tree& tree : decisions.groups[decisions.group_of[index(fact.relation)]].trees.trees) {
    const std::vector<double> values = node_values(tree);
    result.expected += values[0];
    for (std::size_t n = 0; !tree.nodes[n].is_leaf();) {
      const auto& [part, variable] = tree.nodes[n].column;
      const bool low = decisions.tables.of(part).bins(variable)[row_of(fact, part)] <= tree.nodes[n].bin;
      const std::size_t child = tree.nodes[n].left + (low ? 0U : 1U);
      const auto dimension = variable % static_cast<std::uint32_t>(decisions.embeddings.dims);
      part_of(by_dimension[dimension], part) += values[child] - values[n];
      n = child;
    }
  }
  for (auto& [dimension, contribution] : by_dimension) {
    contribution.dimension = dimension;
    result.dimensions.push_back(contribution);
  }
  return result;
}

BaseParts base_parts_of(const model::Decisions& decisions, const Triple& fact) {
  const std::uint32_t number = decisions.group_of[index(fact.relation)];
  const model::BaseMarginsBySide* by_side = decisions.base_of(fact.relation);
  if (by_side == nullptr) return {.constant = decisions.groups[number].trees.base_margin};
  const auto logarithm = [&](const graph::RelationRanges::Lists& lists, EntityId entity) {
    return std::log1p(lists.count(fact.relation, entity));
  };
  const model::BaseMargin& base = by_side->tail;
  BaseParts parts{.constant = static_cast<double>(base.constant)};
  parts.head_count =
      static_cast<double>(base.head_count) * logarithm(decisions.counts.all_heads(), fact.head);
  parts.tail_count =
      static_cast<double>(base.tail_count) * logarithm(decisions.counts.all_tails(), fact.tail);

  const model::BaseMargins margins(decisions, number);
  const model::BaseMargins::Query query = margins.query(fact.head, fact.relation, graph::Side::kTail);
  float whole = 0;
  margins.fill({&query, 1}, index(fact.tail), 1, &whole, 1);
  parts.self = fact.head == fact.tail ? static_cast<double>(base.self) : 0;
  parts.score = base.score == 0 ? 0
                                : static_cast<double>(whole) - parts.constant - parts.head_count -
                                      parts.tail_count - parts.self;
  return parts;
}

}  // namespace greenkgc::answers
