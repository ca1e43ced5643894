#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "rank/rankers/evidence_lists.h"
#include "trees/train/lists/lists.h"

namespace greenkgc {

// The questions that label facts answer, each once, at most so many (0: all), chosen by the seed; sorted. A
// fact that the graph has is left out of it for its question.
std::vector<graph::Query> label_questions(std::span<const Triple> labels, const rank::EvidenceLists& lists,
                                          std::uint64_t most, const Context& context);

struct LabelledLists {
  trees::Lists lists;
  std::uint64_t answers = 0;  // of all questions; some are in no list
  std::uint64_t listed = 0;   // of them
};

// Lists of candidates in which the label facts are answers, and all else is none. Known facts that are no
// labels do not occur among the candidates if the graph has them; nothing else is masked, so that no fact
// that training must not see leaves a trace.
LabelledLists read_label_lists(const rank::EvidenceLists& source, std::span<const graph::Query> questions,
                               const graph::KnownFacts& labels, const trees::FeatureCuts& cuts,
                               const Context& context);

// Cuts by the rows of some of the questions, chosen by the seed.
trees::FeatureCuts label_cuts(const rank::EvidenceLists& source, std::span<const graph::Query> questions,
                              std::size_t features, std::size_t most_bins, const Context& context);

}  // namespace greenkgc
