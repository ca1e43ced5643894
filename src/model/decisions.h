#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/relation_ranges.h"
#include "model/calibration.h"
#include "model/embeddings.h"
#include "model/features.h"
#include "model/trees.h"

namespace greenkgc::model {

// The log-odds of an answer before any tree, for the fact (h, r, t) that it makes: constant + score * s(h, r,
// t) + head_count * log(1 + n(h, r)) + tail_count * log(1 + n(r, t)), where s is the score by the embedding
// of the dimensions that the group keeps and n counts training facts.
struct BaseMargin {
  float constant = 0;
  float score = 0;
  float head_count = 0;
  float tail_count = 0;

  friend bool operator==(const BaseMargin&, const BaseMargin&) = default;
};

// Of the questions for a fact's head and of those for its tail.
struct BaseMarginsBySide {
  BaseMargin head;
  BaseMargin tail;

  const BaseMargin& of(Side side) const { return side == Side::kHead ? head : tail; }
  BaseMargin& of(Side side) { return side == Side::kHead ? head : tail; }

  friend bool operator==(const BaseMarginsBySide&, const BaseMarginsBySide&) = default;
};

// Module 3: what decides whether a fact holds. The tables have the variables of all dimensions that some
// group keeps; a group's trees ask for its own ones only.
struct Decisions {
  SideTables tables;
  PhaseForm phase_form = PhaseForm::kAngle;  // of the tables
  std::vector<std::uint32_t> group_of;       // one per relation

  struct Group {
    std::vector<std::uint32_t> kept;  // dimensions of the tables, best first
    TreeEnsemble trees;
    std::optional<BaseMarginsBySide> base;  // comes instead of the trees' own base margin
    Calibration calibration;                // of margins
  };
  std::vector<Group> groups;

  // An embedding of all dimensions of the tables. Its entities need no rows: they are the levels of the bins
  // (restored_rows).
  Embeddings embeddings;
  graph::RelationRanges counts;  // of training facts; without base margins of none

  bool has_base() const {
    return std::any_of(groups.begin(), groups.end(),
                       [](const Group& group) { return group.base.has_value(); });
  }
};

// The entities' rows that an embedding of the tables' dimensions has, each variable as the level of its bin.
std::vector<float> restored_rows(const BinnedTable& table);

}  // namespace greenkgc::model
