#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/ids.h"
#include "simd/trees/row_classes.h"
#include "trees/trees.h"

namespace greenkgc::trees {

using features::TriplePart;

// Trees for evaluation by half-masks. Once a query has answered the splits of the known entity and of the
// relation, what a tree gives depends on the candidate alone; and of the candidate on the outcomes of its own
// splits alone, which are the same for all queries. So candidates are put into classes by those outcomes once
// per batch of queries; a query makes of each tree a table with a value per class; the margin is a sum of
// look-ups. A class is the set of leaves that its candidates may still fall into, as a mask; the query has a
// mask too; one leaf is in both.
//
// A subtree is one look-up if it has at most kMostClasses classes and leaves. Above such subtrees, the query
// follows its own splits down to one of them; at a split of the candidate it takes both sides, where
// candidates that went the other way get -0, which changes no sum.
class ClassedTrees {
 public:
  // Trees [first_tree, ...) of a block use its classifiers alone: what is kept in cache at a time.
  struct Block {
    std::uint32_t first_classifier;
    std::uint32_t first_tree;
  };
  // The terms of one query's margins: those of block b end at block_ends[b].
  struct Terms {
    std::vector<simd::ClassLookup> lookups;
    std::vector<std::uint32_t> block_ends;
  };

  // For candidates in the place `candidate` (head or tail), any queries. Costs O(nodes).
  ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables, TriplePart candidate);
  // For one query, whose bins are `row` (by bins_of_query): smaller, for its splits are not there any more.
  // One block.
  ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables, TriplePart candidate,
               std::span<const std::uint8_t> row);
  // For rows that are whole triples. One block.
  ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables);

  // What rows are classified by: the columns of BinColumns.
  std::span<const trees::TripleColumn> columns() const { return columns_; }
  std::size_t block_count() const { return blocks_.size(); }
  std::size_t most_classifiers() const { return most_classifiers_; }  // in a block
  simd::ClassifierList block(std::size_t b) const;
  std::span<const simd::TableSource> sources() const { return sources_; }

  // The lookups' classifiers are numbered from the first of their block. For trees of one query or of whole
  // triples the row is empty.
  void terms_of(std::span<const std::uint8_t> row, Terms& terms) const;

 private:
  friend class TreeClassifier;  // builds it: classify_trees.cc

  // A split of the query inside a look-up: which leaves it keeps.
  struct Ask {
    std::uint32_t column;
    std::uint8_t bin;
    std::array<std::uint32_t, 2> keep;  // if its bin is at most `bin`, and else
  };
  // One per source.
  struct Subtree {
    std::uint32_t classifier;  // in its block
    std::uint32_t first_ask;
    std::uint32_t end_ask;
  };
  // How a query gets to its look-ups.
  struct Route {
    enum class Kind : std::uint8_t { kAsk, kBoth, kSubtree };
    Kind kind;
    std::uint8_t bin = 0;
    std::uint32_t column = 0;  // or the subtree
    std::uint32_t low = 0;     // routes
    std::uint32_t high = 0;
  };

  void follow(std::uint32_t route, std::span<const std::uint8_t> row, Terms& terms) const;

  std::vector<trees::TripleColumn> columns_;
  std::vector<Block> blocks_;
  std::size_t most_classifiers_ = 0;
  std::vector<simd::Classifier> classifiers_;
  std::vector<simd::ClassStep> steps_;
  std::vector<simd::TableSource> sources_;
  std::vector<Subtree> subtrees_;
  std::vector<Ask> asks_;
  std::vector<Route> routes_;
  std::vector<std::uint32_t> roots_;  // by tree, the route that it begins with
};

// The bins that a query's splits look at: of the known entity, then of the relation.
std::vector<std::uint8_t> bins_of_query(const features::SideTables& tables, EntityId known,
                                        RelationId relation);

}  // namespace greenkgc::trees
