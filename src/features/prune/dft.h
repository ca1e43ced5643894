#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "features/prune/samples.h"
#include "features/triple_variables.h"
#include "greenkgc/context.h"
#include "math/logistic_fit.h"

namespace greenkgc::features {

// The discriminant feature test (paper, feature pruning and its appendix): how well does one dimension alone
// tell observed facts from corrupted ones?

// How the n_v variables of a dimension become one.
enum class Projection {
  kLogistic,            // weights of a logistic regression
  kPrincipalComponent,  // first principal component of all samples, its largest weight positive
};

math::VariableWeights principal_component(const simd::LabelledColumns& samples);

// Sum over the variables of their variances over all samples.
double total_variance(const simd::LabelledColumns& samples);

// Counts of a projected variable in equal bins from `low` to `high`, both of which occur; the last bin holds
// `high`.
struct Histogram {
  double low = 0;
  double high = 0;
  std::vector<std::uint64_t> positives;
  std::vector<std::uint64_t> negatives;
};
Histogram histogram_of(const simd::LabelledColumns& samples, const math::VariableWeights& weights,
                       std::size_t bins);

struct Split {
  double cost = 0;   // mean entropy of the labels in bits, weighted by the samples on each side
  double point = 0;  // projections below it are on the left
};
// The edge between bins of least cost, the leftmost of those that tie. If there is nothing to split (no
// samples, a constant, values beyond double's range), the cost is the entropy of the labels, 1 bit if there
// are none; the point is `low`. A dimension that separates the labels costs 0.
Split best_split(const Histogram& histogram);

// What is known of a dimension after its test.
struct DimensionTest {
  math::VariableWeights weights = {};
  double cost = 0;  // in bits: 0 is best
  double split = 0;
  bool converged = true;
};

struct TestOptions {
  Projection projection = Projection::kLogistic;
  std::size_t bins = 32;
};

// Tests every dimension on every set of samples: result[set][dimension]. Memory is O(samples of the largest
// set
// + entities) per thread. The same bits for any number of threads.
std::vector<std::vector<DimensionTest>> test_dimensions(const features::TripleVariables& variables,
                                                        std::span<const SampleSet> sets,
                                                        const TestOptions& options, const Context& context);

}  // namespace greenkgc::features
