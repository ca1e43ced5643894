#include "features/prune/groups.h"

#include <algorithm>
#include <cmath>

#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "math/kmeans.h"

namespace greenkgc::features {
namespace {

constexpr std::uint32_t kFactStream = 0x70726E06;

std::vector<float> relation_points(const kge::Embeddings& embeddings, std::size_t& width) {
  const std::span rows(embeddings.relations.data(), embeddings.relation_count * embeddings.relation_width());
  width = embeddings.relation_width();
  if (!(embeddings.kge->relation_range() > 0)) return {rows.begin(), rows.end()};
  width *= 2;
  std::vector<float> points;
  points.reserve(2 * rows.size());
  for (const float phase : rows) {
    points.push_back(std::cos(phase));
    points.push_back(std::sin(phase));
  }
  return points;
}

// A random part of the facts, in order.
std::vector<Triple> some_facts(std::span<const Triple> facts, std::uint64_t most, std::uint64_t seed) {
  if (facts.size() <= most) return {facts.begin(), facts.end()};
  const Permutation order(facts.size(), CounterRandom(seed, kFactStream), 0);
  std::vector<std::uint64_t> positions(most);
  for (std::uint64_t i = 0; i < most; ++i) positions[i] = order(i);
  std::sort(positions.begin(), positions.end());
  std::vector<Triple> chosen;
  chosen.reserve(positions.size());
  for (const std::uint64_t position : positions) chosen.push_back(facts[position]);
  return chosen;
}

double mean_cost(std::span<const SampleSet> sets, const std::vector<std::vector<DimensionTest>>& tests) {
  double sum = 0;
  double samples = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto weight = static_cast<double>(sets[set].size());
    for (const DimensionTest& test : tests[set]) sum += weight * test.cost;
    samples += weight * static_cast<double>(tests[set].size());
  }
  return samples > 0 ? sum / samples : 1;
}

}  // namespace

RelationGroups group_relations(const kge::Embeddings& embeddings, std::size_t groups,
                               const Context& context) {
  std::size_t width = 0;
  const std::vector<float> points = relation_points(embeddings, width);
  return {math::kmeans(points, width, {.clusters = groups}, context).cluster_of, groups, {}};
}

RelationGroups choose_groups(const kge::Embeddings& embeddings, const features::TripleVariables& variables,
                             const SampleSource& source, const AutoGroups& how, const TestOptions& test,
                             const Context& context) {
  const std::vector<Triple> facts = some_facts(source.facts, how.most_facts, context.seed);
  const std::size_t most = std::min<std::size_t>(how.most, embeddings.relation_count);
  Context silent = context;
  silent.progress = nullptr;  // one line for all numbers of groups
  ProgressTask progress(context, "choosing the number of groups", most, "numbers");
  std::vector<RelationGroups> candidates;
  std::vector<double> costs;
  for (std::size_t k = 1; k <= most; ++k) {
    candidates.push_back(group_relations(embeddings, k, silent));
    const auto sets =
        draw_samples({facts, source.known, source.entity_count}, candidates.back().group_of, k, 0, silent);
    costs.push_back(mean_cost(sets, test_dimensions(variables, sets, test, silent)));
    progress.advance(1);
  }
  RelationGroups chosen = std::move(candidates[groups_where_costs_converge(costs, how.least_gain) - 1]);
  chosen.mean_costs = std::move(costs);
  return chosen;
}

std::size_t groups_where_costs_converge(std::span<const double> mean_costs, double least_gain) {
  const std::size_t most = mean_costs.size();
  const double whole_fall = mean_costs[0] - *std::min_element(mean_costs.begin(), mean_costs.end());
  for (std::size_t k = 0; k < most; ++k) {
    bool falls_on = false;
    for (std::size_t later = k + 1; later < most; ++later) {
      const double gain = mean_costs[k] - mean_costs[later];
      falls_on = falls_on || gain > least_gain * whole_fall * static_cast<double>(later - k);
    }
    if (!falls_on) return k + 1;
  }
  return most;
}

}  // namespace greenkgc::features
