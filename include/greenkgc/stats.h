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

// By tails per head and heads per tail over the training facts: 1-N means at least 1.5 tails per head and
// fewer than 1.5 heads per tail.
enum class RelationCategory { kOneToOne, kOneToN, kNToOne, kNToN };
GREENKGC_API std::string_view category_name(RelationCategory category);  // "1-1", "1-N", "N-1", "N-N"

// Facts that repeat count once here.
struct RelationStats {
  RelationId relation;
  std::uint64_t train = 0;
  std::uint64_t valid = 0;
  std::uint64_t test = 0;
  std::uint32_t heads = 0;    // distinct heads in train: the size of the head range
  std::uint32_t tails = 0;    // likewise
  double tails_per_head = 0;  // train / heads; 0 without training facts
  double heads_per_tail = 0;  // train / tails
  RelationCategory category = RelationCategory::kOneToOne;
  double symmetry = 0;  // share of its training facts (h, r, t) with (t, r, h) in train; a self-loop has it
};

// A pair of relations of which one mostly says the other backwards.
struct InversePair {
  RelationId relation;
  RelationId inverse;
  std::uint64_t facts;  // `relation`'s training facts (h, r, t) with (t, inverse, h) in train
  double overlap;       // their share of all training facts of `relation`
};

// What is odd about one split, counted over its lines, repeated ones too. Train is not compared with itself:
// its counts below self_loops are 0, its shares 1.
struct SplitStats {
  Split split;
  std::uint64_t triples = 0;
  std::uint64_t duplicates = 0;        // lines that repeat an earlier line of the same split
  std::uint64_t self_loops = 0;        // head = tail
  std::uint64_t in_train = 0;          // also a training fact: leakage
  std::uint64_t inverse_in_train = 0;  // (t, r', h) is a training fact, r and r' are an inverse pair, in
                                       // either order: leakage
  std::uint64_t pair_linked = 0;    // head and tail are linked in train by any relation, in either direction
  std::uint64_t unseen_entity = 0;  // triples with an entity that train does not have
  std::uint64_t unseen_relation = 0;
  double head_in_range = 0;  // share whose head is among the training heads of the relation
  double tail_in_range = 0;
};

struct DegreeBucket {
  std::uint64_t from;  // degrees from .. to, inclusive: 0, 1, 2 .. 3, 4 .. 7, 8 .. 15 and so on
  std::uint64_t to;
  std::uint64_t entities;
};

struct GraphStats {
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::uint64_t unseen_entities = 0;                  // entities that occur in no training fact
  std::vector<SplitStats> splits;                     // those that are not empty
  std::vector<RelationStats> by_relation;             // all, by id
  std::array<std::uint32_t, 4> category_relations{};  // by RelationCategory; those that have training facts
  std::array<std::uint64_t, 4> category_triples{};    // distinct training facts
  // Overlap at least 0.8; symmetric relations pair with themselves. Those with most facts come first. Where
  // more than 256 relations lead from one entity to one other, only the first 256 are looked at.
  std::vector<InversePair> inverse_pairs;
  // The degree of an entity is the number of distinct training facts with it as head, and of those with it as
  // tail. All entities are counted, unseen ones too; the buckets go from 0 to that of the largest degree.
  std::vector<DegreeBucket> degrees;
  double mean_degree = 0;
  std::uint64_t median_degree = 0;  // of an even number of entities, the lower of the two in the middle
  std::uint64_t max_degree = 0;
  EntityId max_degree_entity = kNoEntity;  // the first of several; kNoEntity if train is empty
};

GREENKGC_API GraphStats compute_stats(const Dataset& dataset, const Context& context);

}  // namespace greenkgc
