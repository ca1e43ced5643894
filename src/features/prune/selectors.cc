#include "features/prune/selectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "features/prune/forest.h"
#include "features/prune/sample_columns.h"
#include "greenkgc/error.h"

namespace greenkgc::features {
namespace {

constexpr std::uint32_t kRandomStream = 0x70726E03;
constexpr std::size_t kSelectorDimsPerPiece = 8;

std::vector<double> by_cost(const Selection& selection, const Context&) {
  std::vector<double> costs;
  for (const DimensionTest& test : selection.tests) costs.push_back(test.cost);
  return costs;
}

std::vector<double> by_negated_cost(const Selection& selection, const Context& context) {
  std::vector<double> costs = by_cost(selection, context);
  for (double& cost : costs) cost = -cost;
  return costs;
}

std::vector<double> at_random(const Selection& selection, const Context& context) {
  const CounterRandom random(context.seed, kRandomStream);
  std::vector<double> costs;
  for (std::size_t dim = 0; dim < selection.tests.size(); ++dim)
    costs.push_back(random.unit(selection.group * selection.tests.size() + dim));
  return costs;
}

std::vector<double> by_variance(const Selection& selection, const Context& context) {
  std::vector<double> costs(selection.variables.dims());
  parallel_for(context, costs.size(), kSelectorDimsPerPiece, [&](std::size_t begin, std::size_t end) {
    SampleColumns columns(selection.variables);
    for (std::size_t dim = begin; dim < end; ++dim) {
      columns.take_dimension(dim);
      costs[dim] = 1 / total_variance(columns.gather(selection.samples));
    }
  });
  return costs;
}

std::vector<double> by_importance(const Selection& selection, const Context& context) {
  std::vector<double> costs =
      forest_importance(selection.variables, selection.samples, selection.group, context);
  for (double& cost : costs) cost = -cost;
  return costs;
}

constexpr auto kSelectors = std::to_array<Selector>({{"dft", false, by_cost},
                                                     {"dft-reversed", false, by_negated_cost},
                                                     {"random", false, at_random},
                                                     {"variance", false, by_variance},
                                                     {"forest", false, by_importance},
                                                     {"none", true, by_cost}});

}  // namespace

const Selector& selector(std::string_view name) {
  for (const Selector& selector : kSelectors) {
    if (selector.name == name) return selector;
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no selector {}", in_quotes(name)));
}

std::vector<std::string> selector_names() {
  std::vector<std::string> names;
  for (const Selector& selector : kSelectors) names.emplace_back(selector.name);
  return names;
}

std::vector<std::uint32_t> lowest(std::span<const double> costs, std::size_t count) {
  std::vector<std::uint32_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return costs[a] < costs[b]; });
  order.resize(std::min(count, order.size()));
  return order;
}

}  // namespace greenkgc::features
