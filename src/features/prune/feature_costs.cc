#include "features/prune/feature_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "base/progress.h"
#include "features/prune/dft.h"
#include "math/logistic_fit.h"

namespace greenkgc::features {
namespace {

constexpr std::size_t kFeaturesPerPiece = 8;
constexpr std::size_t kBins = TestOptions{}.bins;
constexpr std::size_t kMostSorted = 8192;

// By values at even steps: sorting all of them would take as long as the rest of a test.
std::vector<float> cuts_of(std::span<const float> values) {
  const std::size_t step = values.size() / kMostSorted + 1;
  std::vector<float> some;
  for (std::size_t i = 0; i < values.size(); i += step) some.push_back(values[i]);
  return features::quantile_cuts(some, kBins);
}

// The first half of the values are those of answers.
double cost_of(std::span<const float> values) {
  if (values.empty()) return 1;
  const std::vector<float> cuts = cuts_of(values);
  const std::size_t bins = cuts.size() + 1;
  Histogram histogram{0, static_cast<double>(bins), std::vector<std::uint64_t>(bins),
                      std::vector<std::uint64_t>(bins)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bin =
        static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), values[i]) - cuts.begin());
    ++(i < values.size() / 2 ? histogram.positives : histogram.negatives)[bin];
  }
  return best_split(histogram).cost;
}

float finite(double x) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return std::isnan(x) ? 0 : static_cast<float>(std::clamp(x, -kMost, kMost));
}

// Tests one feature after another; what it gathers a feature's values in is used again. One per thread.
class FeatureTester {
 public:
  FeatureTester(const CandidatePairs& pairs, const features::SideTables& tables, std::size_t dims)
      : pairs_(pairs), tables_(tables), dims_(dims) {}

  double evidence_cost(std::size_t feature, const PairRange& range) {
    gather(range, 0, [&](std::size_t row) { return pairs_.evidence[row * pairs_.features + feature]; });
    return cost_of(columns_[0]);
  }

  double dimension_cost(std::size_t dim, const PairRange& range) {
    variables_ = 0;
    add_variables(features::TriplePart::kHead, dim, range,
                  [](const Triple& fact) { return index(fact.head); });
    add_variables(features::TriplePart::kRelation, dim, range,
                  [](const Triple& fact) { return index(fact.relation); });
    add_variables(features::TriplePart::kTail, dim, range,
                  [](const Triple& fact) { return index(fact.tail); });
    const std::size_t size = range.end - range.begin;
    simd::LabelledColumns samples{{}, variables_, size, size};
    for (std::size_t v = 0; v < variables_; ++v) samples.columns[v] = columns_[v].data();
    projections_.resize(2 * size);
    simd::project(samples, math::fit_logistic(samples).weights, projections_);
    std::transform(projections_.begin(), projections_.end(), columns_[0].begin(), finite);
    return cost_of(columns_[0]);
  }

 private:
  template <class ValueOf>
  void gather(const PairRange& range, std::size_t column, const ValueOf& value_of) {
    columns_[column].clear();
    for (const std::size_t place : {0, 1}) {
      for (std::size_t pair = range.begin; pair < range.end; ++pair)
        columns_[column].push_back(value_of(2 * pair + place));
    }
  }

  template <class IdOf>
  void add_variables(features::TriplePart part, std::size_t dim, const PairRange& range, const IdOf& id_of) {
    const features::BinnedTable& table = tables_.of(part);
    for (std::size_t column = dim; column < table.columns(); column += dims_) {
      const auto bins = table.bins(column);
      const auto levels = table.levels(column);
      gather(range, variables_++, [&](std::size_t row) { return levels[bins[id_of(pairs_.facts[row])]]; });
    }
  }

  const CandidatePairs& pairs_;
  const features::SideTables& tables_;
  const std::size_t dims_;
  std::size_t variables_ = 0;  // of the dimension that is being tested
  std::array<std::vector<float>, simd::kMostVariables> columns_;
  std::vector<double> projections_;
};

}  // namespace

std::vector<std::vector<double>> feature_costs(const CandidatePairs& pairs, std::span<const PairRange> ranges,
                                               const features::SideTables& tables, std::size_t dims,
                                               const Context& context) {
  const std::size_t features = pairs.features + dims;
  std::vector costs(ranges.size(), std::vector<double>(features));
  ProgressTask progress(context, "testing features", features, "features");
  parallel_for(context, features, kFeaturesPerPiece, [&](std::size_t begin, std::size_t end) {
    FeatureTester tester(pairs, tables, dims);
    for (std::size_t f = begin; f < end; ++f) {
      for (std::size_t r = 0; r < ranges.size(); ++r)
        costs[r][f] = f < pairs.features ? tester.evidence_cost(f, ranges[r])
                                         : tester.dimension_cost(f - pairs.features, ranges[r]);
      progress.advance(1);
    }
  });
  return costs;
}

}  // namespace greenkgc::features
