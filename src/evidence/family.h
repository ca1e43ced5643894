#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/top_k.h"
#include "evidence/directed_relation.h"
#include "evidence/evidence_graph.h"
#include "evidence/question_view.h"
#include "evidence/rules.h"
#include "evidence/stamped_array.h"
#include "evidence/walk_steps.h"
#include "graph/query.h"
#include "greenkgc/ids.h"

namespace greenkgc::evidence {

// Entities near a given one, nearest first, with a weight each in (0, 1]; not the entity itself.
struct NearEntity {
  EntityId entity;
  float weight;
};
using FindNear = std::function<void(EntityId entity, std::vector<NearEntity>& near)>;

// What evidence is read from. Outlives its readers; only read.
struct Sources {
  const EvidenceGraph* graph = nullptr;  // never null
  const RuleSet* rules = nullptr;        // null: none
  const WalkSteps* walks = nullptr;      // null: none
  FindNear near;                         // by embedding; may be empty. Called from several threads
};

// The features of one family: row i for candidate i, with a place in the rows of all families.
struct FeatureRows {
  float* values;
  std::size_t stride;  // floats from one row to the next

  float* row(std::size_t i) const { return values + i * stride; }
};

// The candidates of a question, and what the first stage thinks of each (higher is better).
struct CandidateList {
  std::span<const EntityId> entities;
  std::span<const float> first_scores;
};

// One kind of evidence, with what it remembers of a question: one reader per thread. Every count is without
// the question's left-out fact, and an entity is never evidence for itself. Only families
// that say so let a fact between the known entity and a candidate speak for it (docs/structure.md). Features
// are finite; absent evidence is 0.
class FamilyReader {
 public:
  virtual ~FamilyReader() = default;

  // Begins a question: what depends on it alone. The view stays as it is until the next.
  virtual void ask(const QuestionView& view) = 0;
  // Appends at most `most` candidates that this evidence speaks for, strongest first, lower ids first among
  // equals, without known answers.
  virtual void propose(std::size_t most, std::vector<EntityId>& out) const;
  // Writes one value per name for each candidate.
  virtual void fill(const CandidateList& candidates, const FeatureRows& out) = 0;
};

struct Family {
  std::string_view name;
  std::vector<std::string_view> features;  // names, unique over all families
  std::unique_ptr<FamilyReader> (*make)(const Sources& sources);
  // Of the features, those that are also given by comparison: as a share of the largest in the list.
  std::vector<std::string_view> compared = {};
  bool over_links = false;  // lets a fact between the known entity and a candidate speak for it
};

// The table, in the order of features. A family with nothing to read from (no rules, no neighbors) gives 0.
const std::vector<Family>& all_families();

using BestEntities = TopK<graph::ScoredEntity, graph::IsBetter>;
// Appends them to `out`, best first.
void append_best(BestEntities& best, std::vector<EntityId>& out);

// The `most` best of all candidates that have a cell and are no known answers, by score(cell).
template <class Cell, class Score>
void append_best_of(const StampedArray<Cell>& cells, const QuestionView& view, const Score& score,
                    std::size_t most, std::vector<EntityId>& out) {
  BestEntities best(most);
  for (const std::uint32_t c : cells.touched()) {
    if (!view.is_answer(EntityId{c})) best.add({EntityId{c}, score(*cells.find(c))});
  }
  append_best(best, out);
}

}  // namespace greenkgc::evidence
