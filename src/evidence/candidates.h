#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evidence/family.h"
#include "greenkgc/ids.h"

namespace greenkgc::evidence {

struct ListOptions {
  std::size_t size = 200;         // candidates of a list, at most; above 0
  std::size_t first_stage = 140;  // of them at least so many are the first stage's best
  // Families that may see links between the known entity and the candidate. FB15k-237 has none between the
  // ends of its validation and test facts, so that a model can learn "linked means wrong" there.
  bool links = true;
  // Only families that have some of these: a model from before a family was thought of does without it.
  // Empty: all.
  std::vector<std::string> features = {};
};

// Reads all families for one query after another: lists of candidates, and their features. One per
// thread; keeps references.
class EvidenceReader {
 public:
  EvidenceReader(const Sources& sources, const ListOptions& options);
  ~EvidenceReader();

  // One per column of the rows; the same for the same options, whatever the sources.
  static std::vector<std::string> feature_names(const ListOptions& options);
  std::size_t feature_count() const { return feature_count_; }

  struct List {
    std::vector<EntityId> entities;  // best first by proposal; each once; no known answer
    std::vector<float> first;        // the first stage's score of each
    std::vector<float> rows;         // feature_count() floats per entity; finite
  };
  // Ids of the query are below the graph's counts. `first_scores` has one score for each entity of the
  // graph, higher is better, finite. The list holds the first stage's best, then in turn the next proposal of
  // each family and of the first stage, until it is full or nothing is left. Where the query leaves out
  // its answer, that one is treated as any other candidate.
  const List& read(const Query& query, std::span<const float> first_scores) {
    ask(query);
    return list(first_scores);
  }
  // The same in two steps: what the query alone tells, then the list.
  void ask(const Query& query);
  // An `extra` candidate comes last if it is not in the list anyway.
  const List& list(std::span<const float> first_scores, EntityId extra = kNoEntity);

 private:
  void propose_best(std::span<const float> first_scores);
  void choose(EntityId extra);
  void fill(std::span<const float> first_scores);
  struct Compared;  // columns
  void compare(const Compared& column);

  struct Part;  // a family, its reader and its place in a row
  ListOptions options_;
  QuestionView view_;
  std::vector<Part> parts_;
  std::vector<Compared> compared_;
  std::size_t feature_count_ = 0;
  List list_;
  StampedArray<char> listed_;
  std::vector<std::vector<EntityId>> proposals_;
  BestEntities first_best_;  // of the first stage
};

}  // namespace greenkgc::evidence
