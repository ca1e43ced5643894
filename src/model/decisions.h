#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/relation_ranges.h"
#include "model/embeddings.h"
#include "model/trees.h"

namespace greenkgc::model {

// The log-odds of a fact (h, r, t) before any tree: constant + score * s(h, r, t) + head_count * log(1 +
// n(h, r)) + tail_count * log(1 + n(r, t)), where s is the score by the embedding of the dimensions that
// the group keeps and n counts training facts.
struct BaseMargin {
  double constant = 0;
  double score = 0;
  double head_count = 0;
  double tail_count = 0;
};

// Module 3: what decides whether a fact holds. The tables have the variables of all dimensions that some
// group keeps; a group's trees ask for its own ones only.
struct Decisions {
  SideTables tables;
  std::vector<std::uint32_t> group_of;  // one per relation

  struct Group {
    std::vector<std::uint32_t> kept;  // dimensions of the tables
    TreeEnsemble trees;
    std::optional<BaseMargin> base;  // comes instead of the trees' own base margin
  };
  std::vector<Group> groups;

  // For base margins: an embedding of all dimensions of the tables, and training facts. Empty without them.
  Embeddings embeddings;
  graph::RelationRanges counts;
};

}  // namespace greenkgc::model
