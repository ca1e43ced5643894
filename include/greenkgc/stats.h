#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"

namespace greenkgc {

// By tails per head and heads per tail over the training facts, each compared with 1.5.
enum class RelationCategory { kOneToOne, kOneToN, kNToOne, kNToN };
GREENKGC_API std::string_view category_name(RelationCategory category);  // "1-1", "1-N", "N-1", "N-N"

struct RelationStats {
  RelationId relation;
  std::uint64_t train = 0;  // distinct facts
  std::uint64_t valid = 0;
  std::uint64_t test = 0;
  std::uint32_t heads = 0;  // distinct heads in train: the size of the head range
  std::uint32_t tails = 0;
  double tails_per_head = 0;
  double heads_per_tail = 0;
  RelationCategory category = RelationCategory::kOneToOne;
  double symmetry = 0;  // share of its training facts (h, r, t) with (t, r, h) in train
};

// A pair of relations of which one mostly says the other backwards.
struct InversePair {
  RelationId relation;
  RelationId inverse;
  double overlap;  // share of `relation`'s training facts (h, r, t) with (t, inverse, h) in train
};

// What is odd about one split, counted over its lines. Only train has `duplicates` alone.
struct SplitStats {
  Split split;
  std::uint64_t triples = 0;
  std::uint64_t duplicates = 0;        // lines that repeat an earlier line of the same split
  std::uint64_t self_loops = 0;        // head = tail
  std::uint64_t in_train = 0;          // also a training fact: leakage
  std::uint64_t inverse_in_train = 0;  // (t, r', h) is a training fact and r' is an inverse of r: leakage
  std::uint64_t pair_linked = 0;    // head and tail are linked in train by any relation, in either direction
  std::uint64_t unseen_entity = 0;  // triples with an entity that train does not have
  std::uint64_t unseen_relation = 0;
  double head_in_range = 0;  // share whose head is among the training heads of the relation
  double tail_in_range = 0;
};

struct DegreeBucket {
  std::uint64_t from;  // degrees from .. to, inclusive; powers of two
  std::uint64_t to;
  std::uint64_t entities;
};

struct GraphStats {
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::uint64_t unseen_entities = 0;  // entities that occur in no training fact
  std::vector<SplitStats> splits;     // those that are not empty
  std::vector<RelationStats> by_relation;
  std::array<std::uint32_t, 4> category_relations{};  // by RelationCategory
  std::array<std::uint64_t, 4> category_triples{};    // training facts
  std::vector<InversePair> inverse_pairs;  // overlap at least 0.8; symmetric relations pair with themselves
  std::vector<DegreeBucket> degrees;       // in train, both directions; the first bucket is degree 0
  double mean_degree = 0;
  std::uint64_t median_degree = 0;
  std::uint64_t max_degree = 0;
  EntityId max_degree_entity = kNoEntity;
};

GREENKGC_API GraphStats compute_stats(const Dataset& dataset, const Context& context);

}  // namespace greenkgc
