#pragma once

#include <cstdint>
#include <vector>

#include "features/prune/dft.h"
#include "features/prune/samples.h"
#include "features/triple_variables.h"
#include "greenkgc/context.h"

namespace greenkgc::features {

// Relations in groups of similar ones, numbered by their first relation.
struct RelationGroups {
  std::vector<std::uint32_t> group_of;  // one per relation
  std::size_t count = 0;
  // mean_costs[k - 1]: the mean cost over all dimensions with k groups, each weighed by its samples. Empty
  // unless the number of groups was chosen here.
  std::vector<double> mean_costs;
};

// k-means on the relations' rows (for tails, where there are two). Phases are clustered as (cos, sin), since
// an angle and the same angle plus a turn are one rotation. Throws kUsage if there are more groups than
// relations.
RelationGroups group_relations(const kge::Embeddings& embeddings, std::size_t groups, const Context& context);

struct AutoGroups {
  std::size_t most;                   // groups to try
  double least_gain;                  // share of the whole fall of the cost
  std::uint64_t most_facts = 20'000;  // of all relations together, that costs are measured on
};
// The paper's rule, "when the average cross-entropy starts to converge", made exact: costs are measured for 1
// to `most` groups, and the smallest k is taken from which no larger one brings the mean cost down by more
// than least_gain * (cost of one group - least cost of all) per added group.
RelationGroups choose_groups(const kge::Embeddings& embeddings, const features::TripleVariables& variables,
                             const SampleSource& source, const AutoGroups& how, const TestOptions& test,
                             const Context& context);

// The rule alone: how many groups this curve calls for.
std::size_t groups_where_costs_converge(std::span<const double> mean_costs, double least_gain);

}  // namespace greenkgc::features
