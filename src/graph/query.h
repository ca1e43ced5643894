#pragma once

#include <compare>
#include <tuple>

#include "greenkgc/ids.h"

namespace greenkgc::graph {

// Which end of a fact is asked for: (h, r, ?) has its answers on the tail side.
enum class Side { kHead, kTail };

// Which entities stand on `side` of facts with the known entity and the relation? Where the query was made
// from a fact that the graph has, the fact's answer is left out: the graph is then read as if it did not have
// that one fact, and the answer counts as not known. Sorted queries have those of a relation and a side next
// to each other, which is how they are answered fastest.
struct Query {
  EntityId known;
  RelationId relation;
  Side side;
  EntityId left_out = kNoEntity;

  // The fact that an answer makes.
  Triple fact(EntityId answer) const {
    return side == Side::kTail ? Triple{known, relation, answer} : Triple{answer, relation, known};
  }

  friend auto operator<=>(const Query& a, const Query& b) { return a.key() <=> b.key(); }
  friend bool operator==(const Query& a, const Query& b) { return a.key() == b.key(); }

 private:
  std::tuple<RelationId, Side, EntityId, EntityId> key() const { return {relation, side, known, left_out}; }
};

// An entity as an answer to a query.
struct ScoredEntity {
  EntityId entity;
  float score;

  friend bool operator==(const ScoredEntity&, const ScoredEntity&) = default;
};

// The order of answers: higher scores first, lower ids first among equals.
struct IsBetter {
  bool operator()(const ScoredEntity& a, const ScoredEntity& b) const {
    return a.score != b.score ? a.score > b.score : a.entity < b.entity;
  }
};

}  // namespace greenkgc::graph
