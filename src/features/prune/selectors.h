#pragma once

#include <span>
#include <string>
#include <vector>

#include "features/prune/dft.h"
#include "features/prune/samples.h"
#include "features/triple_variables.h"
#include "greenkgc/context.h"

namespace greenkgc::features {

// Which dimensions stay: the discriminant feature test, and its rivals in the paper's ablation.

// All that a selector may look at; `tests` has one test per dimension.
struct Selection {
  const features::TripleVariables& variables;
  const SampleSet& samples;
  std::span<const DimensionTest> tests;
  std::uint64_t group;
};

struct Selector {
  std::string_view name;
  bool keeps_all;  // whatever number of dimensions is asked for
  // One number per dimension: the lowest stay. The same for any number of threads.
  std::vector<double> (*costs)(const Selection& selection, const Context& context);
};

// "dft" prunes the dimensions of highest cost, "dft-reversed" those of lowest; "random"; "variance" prunes
// where the variables vary least (cost: 1 / sum of their variances, as in the paper's figure); "forest" those
// of least importance in a random forest (cost: minus the importance); "none" prunes nothing.
const Selector& selector(std::string_view name);
std::vector<std::string> selector_names();

// The dimensions of the `count` lowest costs, best first; of equal ones the lower dimension comes first.
std::vector<std::uint32_t> lowest(std::span<const double> costs, std::size_t count);

}  // namespace greenkgc::features
