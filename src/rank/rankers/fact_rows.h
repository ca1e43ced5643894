#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evidence/candidates.h"
#include "evidence/profiles.h"
#include "evidence/relation_odds.h"
#include "graph/query.h"

namespace greenkgc::rank {

using graph::Query;

// What fact trees read (model/fact_trees.h). Of the fact that a candidate makes of a query (h, r, ?): how the
// candidate stands in the list, how likely both ends have the relation at all, how often one answer is all
// there is, and the evidence for the candidate. Stateless but for the graph; keeps references.
class FactRows {
 public:
  FactRows(const evidence::EvidenceGraph& graph, const evidence::Profiles& profiles,
           const evidence::RelationOdds& relation_odds)
      : graph_(graph), profiles_(profiles), relation_odds_(relation_odds) {}

  // One per column, given those of the evidence.
  static std::vector<std::string> names(std::span<const std::string> evidence);

  // Replaces `rows` by one row per pick, which is a place in the list. `scores` are those of the list. All
  // counts are without the fact that the query leaves out.
  void fill(const Query& query, const evidence::EvidenceReader::List& list, std::span<const float> scores,
            std::span<const std::size_t> picks, std::vector<float>& rows) const;

  // What is known of a query before it is asked, by which it can be told whether it has a missing answer.
  static std::vector<std::string> query_names();
  void fill_query(const Query& query, std::vector<float>& row) const;

 private:
  float single_share(const Query& query, evidence::DirectedRelation relation, EntityId left_out_owner) const;

  const evidence::EvidenceGraph& graph_;
  const evidence::Profiles& profiles_;
  const evidence::RelationOdds& relation_odds_;
};

}  // namespace greenkgc::rank
