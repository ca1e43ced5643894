#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc {

// The splits that a model may know of: those of training, or all of them.
struct VisibleSplits {
  std::vector<Split> facts;
  std::vector<Split> negatives;
};
inline const VisibleSplits kSplitsOfTraining = {{Split::kTrain, Split::kValid},
                                                {Split::kTrainNegatives, Split::kValidNegatives}};
inline const VisibleSplits kSplitsOfFinalModel = {
    {Split::kTrain, Split::kValid, Split::kTest},
    {Split::kTrainNegatives, Split::kValidNegatives, Split::kTestNegatives}};

// Facts that are known to be false: those that the data give for the splits and those of files
// (graph/io/fact_list.h), sorted, each once. A fact that is also among the facts of the splits is taken to be
// true, and the context's log says how many are. Throws as read_fact_list does.
std::vector<Triple> known_negatives(const graph::Dataset& data, const VisibleSplits& splits,
                                    std::span<const std::string> files, const Context& context);

}  // namespace greenkgc
