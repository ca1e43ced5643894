#pragma once

#include <vector>

#include "greenkgc/context.h"
#include "model/triple_variables.h"
#include "prune/samples.h"

namespace greenkgc::prune {

// The importance of each dimension in a forest that tells observed from corrupted facts: the decrease of Gini
// impurity at the splits by its variables, over all trees, as a share of the whole. All dimensions are looked
// at at once, unlike in the discriminant feature test, so the forest sees only a sample of the facts. Its
// trees are extremely randomised ones: at each node the best of a few random variables, each with one random
// threshold, on variables cut into 256 bins. The same for any number of threads.
std::vector<double> forest_importance(const model::TripleVariables& variables, const SampleSet& samples,
                                      std::uint64_t group, const Context& context);

}  // namespace greenkgc::prune
