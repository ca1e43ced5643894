#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"
#include "rank/tree_scores.h"
#include "rank/vector_neighbours.h"
#include "structure/candidates.h"

namespace greenkgc::rank {

// A question, and the answer whose fact the graph is to be read without (kNoEntity: none).
struct ListQuestion {
  EntityQuery query;
  EntityId left_out = kNoEntity;

  friend auto operator<=>(const ListQuestion& a, const ListQuestion& b) { return a.key() <=> b.key(); }
  friend bool operator==(const ListQuestion& a, const ListQuestion& b) { return a.key() == b.key(); }
  std::tuple<RelationId, Side, EntityId, EntityId> key() const {
    return {query.relation, query.side, query.known, left_out};
  }
};

// Lists of candidates with their evidence, given the first stage. Const calls may run in several threads.
class EvidenceLists {
 public:
  // Keeps references. Neighbors by embedding are those of the decisions, whatever the sources say.
  EvidenceLists(const model::Decisions& decisions, const structure::Sources& sources,
                const structure::ListOptions& options);
  ~EvidenceLists();

  // With the first stage's margins of all entities. Called from several threads.
  using Take = std::function<void(std::size_t question, std::span<const float> first,
                                  const structure::EvidenceReader::List& list)>;
  // For each question once. Cheapest where questions of a relation stand together. Ids are in range. What
  // comes for a question depends on nothing else. Memory is 64 MB of margins (or those of one
  // question) and about 100 bytes per thread and entity. Throws kInterrupted.
  void read(std::span<const ListQuestion> questions, const Take& take, const Context& context) const;

  const structure::EvidenceGraph& graph() const { return *sources_.graph; }
  // A question for an answer, which is left out if the graph has the fact.
  ListQuestion question_for(const EntityQuery& query, EntityId answer) const;

 private:
  // Question by question, one margin for each entity; `beside` runs at the same time.
  void fill_margins(
      std::span<const ListQuestion> questions, std::span<float> rows, const Context& context,
      const std::function<void()>& beside = [] {}) const;
  void read_lone(const ListQuestion& question, const Take& take, const Context& context) const;
  std::unique_ptr<structure::EvidenceReader> take_reader() const;
  void give_back(std::unique_ptr<structure::EvidenceReader> reader) const;

  const model::Decisions& decisions_;
  const VectorNeighbours near_;
  structure::Sources sources_;
  const structure::ListOptions options_;
  mutable std::mutex mutex_;  // guards idle_
  mutable std::vector<std::unique_ptr<structure::EvidenceReader>> idle_;
};

}  // namespace greenkgc::rank
