#include "trees/train/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/permutation.h"
#include "base/random.h"
#include "greenkgc/error.h"
#include "trees/train/learning_loop.h"
#include "trees/train/tree_grower.h"

namespace greenkgc::trees {
namespace {

using trees::TripleColumn;

constexpr std::uint32_t kColumnStream = 0x64656303;
constexpr std::size_t kFewRows = 1 << 14;  // threads would wait for each other longer than they work

// Which columns a tree may use, in their order.
std::vector<TripleColumn> share_of(const std::vector<TripleColumn>& columns, double share, std::uint64_t tree,
                                   std::uint64_t seed) {
  if (share >= 1 || columns.empty()) return columns;
  const double wanted = std::floor(share * static_cast<double>(columns.size()));
  const Permutation order(columns.size(), CounterRandom(seed, kColumnStream), tree);
  std::vector<TripleColumn> chosen(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = columns[order(i)];
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

void LearnerOptions::validate() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorCode::kUsage, fmt::format("cannot grow trees: {}", what));
  };
  require(depth >= 1 && depth <= trees::kMostTreeDepth, "the depth must be from 1 to 7");
  require(trees >= 1, "at least one tree is needed");
  require(rate > 0 && std::isfinite(rate), "the learning rate must be above 0");
  require(row_share > 0 && row_share <= 1, "the share of rows must be above 0 and at most 1");
  require(column_share > 0 && column_share <= 1, "the share of columns must be above 0 and at most 1");
  require(base_score > 0 && base_score < 1, "the base score must be between 0 and 1");
  require(split.lambda >= 0 && std::isfinite(split.lambda), "lambda must not be negative");
  require(split.gamma >= 0 && split.min_child_weight >= 0, "gamma and child weight must not be negative");
}

LearnedTrees learn_trees(const LearnerInput& input, const LearnerOptions& options, const Context& context) {
  check_input(input, options);
  Context own = context;
  if (input.samples.size() < kFewRows) own.threads = 1;
  const std::vector<TripleColumn> columns = columns_of(input);
  const double shrinkage = options.classifier == Classifier::kBoosting ? options.rate : 1;
  TreeGrower grower(input.tables, input.samples, {options.split, options.depth, shrinkage});
  const auto grow = [&](std::span<const simd::GradientPair> gradients, std::uint64_t number,
                        const TakeLeaves& take) {
    return grower.grow(gradients, share_of(columns, options.column_share, number, own.seed), own,
                       [&](const trees::Tree& tree, std::size_t begin, std::size_t end) {
                         take(tree, grower.leaves().subspan(begin, end - begin), begin);
                       });
  };
  return run_learning_loop(input, options, own, grow);
}

}  // namespace greenkgc::trees
