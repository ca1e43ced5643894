#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "greenkgc/ids.h"
#include "trees/list_trees.h"

namespace greenkgc::model {

// Of the query (head, relation, ?), by its ids alone.
std::size_t fold_of_query(EntityId head, RelationId relation, std::size_t folds);

// What turns an answer of the second stage into the probability of the fact that it makes
// (docs/calibration.md). Trees read how the answer stands in its list, the evidence for it, and how likely
// the query has a missing answer at all. They were grown on queries of all kinds, most of which had none.
//
// Trees are kept in folds, by query: those of a fold have not seen the queries that it judges. A query that
// was asked in training, and whose candidates counted as false there, would otherwise be told so.
struct FactTrees {
  std::vector<std::string> features;
  trees::FeatureCuts cuts;
  std::vector<std::vector<trees::ListTree>> folds;  // each judges the queries of its number

  // The sum of leaves is the log-odds of v, the share of held-out facts among candidates like this one. Even
  // where all candidates were true and missing, that is no more than labeled_share, so the log-odds that one
  // was are slope * log(v / (ceiling - v)) + offset + that of the relation.
  float ceiling = 0.55F;
  float slope = 1;
  float offset = 0;
  std::vector<float> relation_offsets;  // one per relation, drawn towards 0 where data are few

  // Of the facts that were missing in training, the share that was known to be (the held-out ones).
  float labeled_share = 0.5F;
  // Held-out facts as a share of the evidence and them: the rate at which facts are taken to be missing.
  float missing_share = 0;

  // Facts that are expected to be missing among the judged candidates of a query, in the mean over the
  // queries that `complete` asks: as many as held-out facts were found there in training.
  float missing_per_query = 0;

  // Trees over features of the query alone, which give the log-odds that it has a missing answer. They are in
  // no fold, since they only say what to ask first.
  std::vector<std::string> query_features;
  trees::FeatureCuts query_cuts;
  std::vector<trees::ListTree> query_trees;

  bool empty() const { return folds.empty(); }
  std::size_t fold_of(EntityId head, RelationId relation) const {
    return fold_of_query(head, relation, folds.size());
  }
  // log(v / (ceiling - v)), bounded on both sides.
  double evidence(float sum) const;
  // From the sum of leaves to the probability that the fact is missing and true.
  double probability(float sum, RelationId relation) const;
};

// The same probability if facts were missing at another rate: odds follow the odds of the rates.
double at_missing_share(double probability, double from, double to);

}  // namespace greenkgc::model
