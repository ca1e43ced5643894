#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/prune/feature_costs.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "rank/rankers/evidence_lists.h"

namespace greenkgc {

struct LabelQuestions {
  std::span<const graph::Query> questions;  // sorted
  const graph::KnownFacts& answers;
};

struct PairCounts {
  std::uint64_t questions = 0;
  std::uint64_t answers = 0;           // different ones of each question
  std::uint64_t false_candidates = 0;  // the same
};

struct SampledPairs {
  features::CandidatePairs pairs;

  struct Relation {
    RelationId relation;  // asked for either end
    features::PairRange range;
    PairCounts counts;
  };
  std::vector<Relation> relations;  // that have pairs, in the order of ids
};

// Answers and false candidates of the questions' lists: of at most 4,000 questions, 50 of a relation,
// relations with more questions first; of each question at most 16 answers and 16 false candidates, which
// come again where the others are more. Chosen by the seed. `features` is what `source` reads for a
// candidate. The same for any number of threads. Throws kInterrupted.
SampledPairs sample_pairs(const rank::EvidenceLists& source, const LabelQuestions& labels,
                          std::size_t features, const Context& context);

}  // namespace greenkgc
