#pragma once

#include <cstdint>
#include <vector>

#include "base/permutation.h"
#include "base/random.h"
#include "graph/synthetic/planted_rules.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

// Facts of each split: the share of valid, and of valid and test together, is rounded down; train has the
// rest, which never gets smaller with more triples.
struct SplitSizes {
  std::uint64_t train;
  std::uint64_t valid;
  std::uint64_t test;
};
SplitSizes split_sizes(const GenerateOptions& options);

// The facts of a synthetic graph, numbered and computed one by one, never stored. No two are the same: each
// is the k-th target of one anchor by one relation, and no number stands for a (relation, anchor, k) that
// another has. Const calls may come from several threads.
class PlantedFacts {
 public:
  // The options are valid. Throws kUsage if the rules do not allow so many facts, and if train would have
  // fewer than the covering ones.
  PlantedFacts(const GenerateOptions& options, std::uint64_t seed);

  // Every entity and every relation is in one of the covering facts, so that train can do without the others.
  std::uint64_t covering_count() const { return covering_.count(); }
  std::uint64_t free_count() const { return free_.count(); }
  Triple covering(std::uint64_t i) const { return fact(covering_[i], i); }
  Triple free(std::uint64_t i) const { return fact(free_[i], covering_.count() + i); }

  const PlantedRules& rules() const { return rules_; }

 private:
  // The k-th target of an anchor, which is counted in the order that its relation takes anchors in.
  struct Cell {
    RelationId relation;
    std::uint32_t anchor;
    std::uint32_t k;
  };
  // Facts of one relation: those of `anchors` anchors in a row for first_k, then for the next k, and so on.
  struct Block {
    std::uint64_t begin = 0;  // number of its first fact
    RelationId relation;
    std::uint32_t first_anchor = 0;
    std::uint32_t anchors;
    std::uint32_t first_k = 0;
  };
  // Numbers the cells of all its blocks, from 0.
  class Blocks {
   public:
    void add(Block block, std::uint64_t facts);
    std::uint64_t count() const { return count_; }
    Cell operator[](std::uint64_t i) const;

   private:
    std::vector<Block> blocks_;
    std::uint64_t count_ = 0;
  };

  EntityId anchor(const Cell& cell) const;
  Triple fact(const Cell& cell, std::uint64_t number) const;

  PlantedRules rules_;
  double noise_;
  CounterRandom noise_random_;
  Blocks covering_;
  Blocks free_;
  std::vector<Permutation> hub_order_;  // of each relation: which anchors have more than one target
};

}  // namespace greenkgc::graph
