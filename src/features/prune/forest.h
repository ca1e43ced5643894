#pragma once

#include <vector>

#include "features/prune/samples.h"
#include "features/triple_variables.h"
#include "greenkgc/context.h"

namespace greenkgc::features {

// The importance of each dimension in a random forest that tells observed from corrupted facts: the decrease
// of Gini impurity at the splits by its variables, over all trees, as a share of the whole. A tree sees rows
// drawn with replacement, and takes at each node the best split of some random variables. All dimensions are
// looked at at once, unlike in the discriminant feature test, so the forest sees only a sample of the facts,
// and its variables are cut into 256 bins. The same for any number of threads.
std::vector<double> forest_importance(const features::TripleVariables& variables, const SampleSet& samples,
                                      std::uint64_t group, const Context& context);

}  // namespace greenkgc::features
