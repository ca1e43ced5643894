#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "features/features.h"
#include "features/phase_form.h"
#include "graph/relation_ranges.h"
#include "kge/embeddings.h"
#include "model/calibration.h"
#include "trees/trees.h"

namespace greenkgc::model {

// The log-odds of an answer before any tree, for the fact (h, r, t) that it makes: constant + score * s(h, r,
// t) + head_count * log(1 + n(h, r)) + tail_count * log(1 + n(r, t)) + (h = t ? self : 0), where s is the
// score by the embedding of the dimensions that the group keeps and n counts training facts.
struct BaseMargin {
  float constant = 0;
  float score = 0;
  float head_count = 0;
  float tail_count = 0;
  float self = 0;

  friend bool operator==(const BaseMargin&, const BaseMargin&) = default;
};

// Of the questions for a fact's head and of those for its tail.
struct BaseMarginsBySide {
  BaseMargin head;
  BaseMargin tail;

  const BaseMargin& of(graph::Side side) const { return side == graph::Side::kHead ? head : tail; }
  BaseMargin& of(graph::Side side) { return side == graph::Side::kHead ? head : tail; }

  friend bool operator==(const BaseMarginsBySide&, const BaseMarginsBySide&) = default;
};

// Module 3: what decides whether a fact holds. The tables have the variables of all dimensions that some
// group keeps; a group's trees ask for its own ones only.
struct Decisions {
  features::SideTables tables;
  features::PhaseForm phase_form = features::PhaseForm::kAngle;  // of the tables
  std::vector<std::uint32_t> group_of;                           // one per relation

  struct Group {
    std::vector<std::uint32_t> kept;  // dimensions of the tables, best first
    trees::TreeEnsemble trees;
    Calibration calibration;  // of margins
  };
  std::vector<Group> groups;
  // One per relation, or none at all; comes instead of the base margin that the trees of its group have.
  std::vector<std::optional<BaseMarginsBySide>> base;

  // An embedding of all dimensions of the tables. Its entities need no rows: they are the levels of the bins
  // (restored_rows).
  kge::Embeddings embeddings;
  graph::RelationRanges counts;  // of training facts; without base margins of none

  bool has_base() const {
    return std::any_of(base.begin(), base.end(), [](const auto& margins) { return margins.has_value(); });
  }
  // Null: the trees' own base margin stands.
  const BaseMarginsBySide* base_of(RelationId relation) const {
    return base.empty() || !base[index(relation)] ? nullptr : &*base[index(relation)];
  }
};

// The entities' rows that an embedding of the tables' dimensions has, each variable as the level of its bin.
std::vector<float> restored_rows(const features::BinnedTable& table);

}  // namespace greenkgc::model
