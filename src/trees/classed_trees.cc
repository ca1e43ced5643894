#include "trees/classed_trees.h"

namespace greenkgc::trees {

simd::ClassifierList ClassedTrees::block(std::size_t b) const {
  const std::size_t begin = blocks_[b].first_classifier;
  const std::size_t end = b + 1 < blocks_.size() ? blocks_[b + 1].first_classifier : classifiers_.size();
  return {std::span(classifiers_).subspan(begin, end - begin), steps_};
}

void ClassedTrees::terms_of(std::span<const std::uint8_t> row, Terms& terms) const {
  terms.lookups.clear();
  terms.block_ends.clear();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t end = b + 1 < blocks_.size() ? blocks_[b + 1].first_tree : roots_.size();
    for (std::size_t tree = blocks_[b].first_tree; tree < end; ++tree) follow(roots_[tree], row, terms);
    terms.block_ends.push_back(static_cast<std::uint32_t>(terms.lookups.size()));
  }
}

void ClassedTrees::follow(std::uint32_t at, std::span<const std::uint8_t> row, Terms& terms) const {
  while (routes_[at].kind != Route::Kind::kSubtree) {
    const Route& route = routes_[at];
    if (route.kind == Route::Kind::kBoth) {
      follow(route.low, row, terms);
      at = route.high;
    } else {
      at = row[route.column] > route.bin ? route.high : route.low;
    }
  }
  const std::uint32_t source = routes_[at].column;
  const Subtree& subtree = subtrees_[source];
  std::uint32_t keep = ~std::uint32_t{0};
  for (std::uint32_t i = subtree.first_ask; i < subtree.end_ask; ++i)
    keep &= asks_[i].keep[row[asks_[i].column] > asks_[i].bin ? 1 : 0];
  terms.lookups.push_back({subtree.classifier, source, keep});
}

std::vector<std::uint8_t> bins_of_query(const features::SideTables& tables, EntityId known,
                                        RelationId relation) {
  std::vector<std::uint8_t> row;
  row.reserve(tables.entities.columns() + tables.relations.columns());
  for (std::size_t c = 0; c < tables.entities.columns(); ++c)
    row.push_back(tables.entities.bins(c)[index(known)]);
  for (std::size_t c = 0; c < tables.relations.columns(); ++c)
    row.push_back(tables.relations.bins(c)[index(relation)]);
  return row;
}

}  // namespace greenkgc::trees
