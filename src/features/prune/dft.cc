#include "features/prune/dft.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "features/prune/sample_columns.h"
#include "math/small_matrix.h"

namespace greenkgc::features {
namespace {

// A piece of work for one thread: long enough to allocate its columns once, short enough to spread.
constexpr std::size_t kDimsPerPiece = 8;

std::span<const float> column_of(const simd::LabelledColumns& samples, std::size_t v) {
  return {samples.columns[v], samples.positives + samples.negatives};
}

double mean_of(std::span<const float> column) {
  double sum = 0;
  for (const float x : column) sum += static_cast<double>(x);
  return sum / static_cast<double>(column.size());
}

double covariance_of(std::span<const float> x, double mean_x, std::span<const float> y, double mean_y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += (static_cast<double>(x[i]) - mean_x) * (static_cast<double>(y[i]) - mean_y);
  return sum / static_cast<double>(x.size());
}

// The number of labels times their entropy, in bits.
double entropy(std::uint64_t ones, std::uint64_t zeros) {
  const auto n = static_cast<double>(ones + zeros);
  double sum = 0;
  for (const std::uint64_t part : {ones, zeros}) {
    if (part > 0) sum -= static_cast<double>(part) * std::log2(static_cast<double>(part) / n);
  }
  return sum;
}

DimensionTest test_dimension(const simd::LabelledColumns& columns, const TestOptions& options) {
  DimensionTest test;
  if (options.projection == Projection::kLogistic) {
    const math::LogisticFit fit = math::fit_logistic(columns);
    test.weights = fit.weights;
    test.converged = fit.converged;
  } else {
    test.weights = principal_component(columns);
  }
  const Split split = best_split(histogram_of(columns, test.weights, options.bins));
  test.cost = split.cost;
  test.split = split.point;
  return test;
}

}  // namespace

math::VariableWeights principal_component(const simd::LabelledColumns& samples) {
  math::SmallMatrix covariance{samples.variables, {}};
  math::SmallVector means = {};
  for (std::size_t v = 0; v < samples.variables && samples.positives + samples.negatives > 0; ++v) {
    means[v] = mean_of(column_of(samples, v));
    for (std::size_t u = 0; u <= v; ++u) {
      covariance.at[v][u] = covariance.at[u][v] =
          covariance_of(column_of(samples, v), means[v], column_of(samples, u), means[u]);
    }
  }
  math::VariableWeights weights = math::dominant_eigenvector(covariance);
  const auto most = std::max_element(weights.begin(), weights.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*most < 0) {
    for (double& w : weights) w = -w;
  }
  return weights;
}

double total_variance(const simd::LabelledColumns& samples) {
  double total = 0;
  for (std::size_t v = 0; v < samples.variables && samples.positives + samples.negatives > 0; ++v) {
    const auto column = column_of(samples, v);
    const double mean = mean_of(column);
    total += covariance_of(column, mean, column, mean);
  }
  return total;
}

Histogram histogram_of(const simd::LabelledColumns& samples, const math::VariableWeights& weights,
                       std::size_t bins) {
  Histogram histogram{0, 0, std::vector<std::uint64_t>(bins), std::vector<std::uint64_t>(bins)};
  std::vector<double> projections(samples.positives + samples.negatives);
  if (projections.empty()) return histogram;
  simd::project(samples, weights, projections);
  const auto [low, high] = std::minmax_element(projections.begin(), projections.end());
  histogram.low = *low;
  histogram.high = *high;
  const double width = histogram.high - histogram.low;
  const auto scale = static_cast<double>(bins);
  for (std::size_t i = 0; i < projections.size(); ++i) {
    const double place =
        (projections[i] - histogram.low) / width * scale;  // NaN if the width is 0 or infinite
    const std::size_t bin = place > 0 ? std::min(bins - 1, static_cast<std::size_t>(place)) : 0;
    ++(i < samples.positives ? histogram.positives : histogram.negatives)[bin];
  }
  return histogram;
}

Split best_split(const Histogram& histogram) {
  const std::size_t bins = histogram.positives.size();
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    ones += histogram.positives[b];
    zeros += histogram.negatives[b];
  }
  const std::uint64_t n = ones + zeros;
  if (n == 0) return {1, histogram.low};
  Split best{entropy(ones, zeros) / static_cast<double>(n), histogram.low};
  const double width = histogram.high - histogram.low;
  if (!(width > 0) || !std::isfinite(width)) return best;
  std::uint64_t left_ones = 0;
  std::uint64_t left_zeros = 0;
  for (std::size_t b = 1; b < bins; ++b) {
    left_ones += histogram.positives[b - 1];
    left_zeros += histogram.negatives[b - 1];
    const double cost = (entropy(left_ones, left_zeros) + entropy(ones - left_ones, zeros - left_zeros)) /
                        static_cast<double>(n);
    if (cost < best.cost)
      best = {cost, histogram.low + width * static_cast<double>(b) / static_cast<double>(bins)};
  }
  return best;
}

std::vector<std::vector<DimensionTest>> test_dimensions(const features::TripleVariables& variables,
                                                        std::span<const SampleSet> sets,
                                                        const TestOptions& options, const Context& context) {
  std::vector results(sets.size(), std::vector<DimensionTest>(variables.dims()));
  ProgressTask progress(context, "testing dimensions", variables.dims(), "dimensions");
  parallel_for(context, variables.dims(), kDimsPerPiece, [&](std::size_t begin, std::size_t end) {
    SampleColumns columns(variables);
    for (std::size_t dim = begin; dim < end; ++dim) {
      columns.take_dimension(dim);
      for (std::size_t set = 0; set < sets.size(); ++set)
        results[set][dim] = test_dimension(columns.gather(sets[set]), options);
      progress.advance(1);
    }
  });
  return results;
}

}  // namespace greenkgc::features
