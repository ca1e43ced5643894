#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "evidence/candidates.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"
#include "model/tree_scores.h"
#include "rank/rankers/vector_neighbours.h"
#include "rank/ranks.h"

namespace greenkgc::rank {

// Lists of candidates with their evidence, given the first stage. Const calls may run in several threads.
class EvidenceLists {
 public:
  // Keeps references. Neighbors by embedding are those of the decisions, whatever the sources say.
  EvidenceLists(const model::Decisions& decisions, const evidence::Sources& sources,
                const evidence::ListOptions& options);
  ~EvidenceLists();

  // With the first stage's margins of all entities. Called from several threads.
  using Take = std::function<void(std::size_t query, std::span<const float> first,
                                  const evidence::EvidenceReader::List& list)>;
  // For each query once. Cheapest where queries of a relation stand together. Ids are in range. What
  // comes for a query depends on nothing else. Memory is 64 MB of margins (or those of one
  // query) and about 100 bytes per thread and entity. Throws kInterrupted.
  // Where there are `extras`, one for each query, they are in its list as well (kNoEntity: none).
  void read(std::span<const Query> queries, const Take& take, const Context& context,
            std::span<const EntityId> extras = {}) const;

  const evidence::EvidenceGraph& graph() const { return *sources_.graph; }
  const evidence::Sources& sources() const { return sources_; }
  const evidence::ListOptions& options() const { return options_; }
  // The query that asks for an answer, which it leaves out if the graph has the fact.
  Query query_for(const RankQuery& query) const;

 private:
  void read_lone(const Query& query, EntityId extra, const Take& take, const Context& context) const;
  std::unique_ptr<evidence::EvidenceReader> take_reader() const;
  void give_back(std::unique_ptr<evidence::EvidenceReader> reader) const;

  const model::Decisions& decisions_;
  const VectorNeighbours near_;
  evidence::Sources sources_;
  const evidence::ListOptions options_;
  mutable std::mutex mutex_;  // guards idle_
  mutable std::vector<std::unique_ptr<evidence::EvidenceReader>> idle_;
};

}  // namespace greenkgc::rank
