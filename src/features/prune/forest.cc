#include "features/prune/forest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "features/prune/sample_columns.h"

namespace greenkgc::features {
namespace {

constexpr std::uint32_t kForestStream = 0x70726E04;
constexpr std::uint32_t kRowStream = 0x70726E05;
constexpr std::size_t kTrees = 100;
constexpr std::size_t kDepth = 10;
constexpr std::size_t kSmallestNode = 10;
constexpr std::size_t kRowsPerLabel = 5000;
constexpr std::size_t kForestDimsPerPiece = 8;
constexpr std::size_t kForestBins = 256;
constexpr double kRoundingOfImpurity = 1e-9;  // of at most 10,000 rows
constexpr std::uint64_t kDrawsPerTree = std::uint64_t{1} << 32;

// At most kRowsPerLabel of each label.
SampleSet subset(const SampleSet& samples, std::uint64_t group, std::uint64_t seed) {
  SampleSet chosen;
  const CounterRandom random(seed, kRowStream);
  const auto take = [&](std::size_t begin, std::size_t count) {
    if (count == 0) return;
    const Permutation order(count, random, group);
    for (std::size_t i = 0; i < std::min(count, kRowsPerLabel); ++i) {
      const std::size_t row = begin + order(i);
      chosen.heads.push_back(samples.heads[row]);
      chosen.relations.push_back(samples.relations[row]);
      chosen.tails.push_back(samples.tails[row]);
    }
  };
  take(0, samples.positives);
  chosen.positives = chosen.size();
  take(samples.positives, samples.negatives());
  return chosen;
}

// All variables of all dimensions, cut into kForestBins equal bins: column by column, variable v of dimension
// d at d * n_v + v.
struct BinnedColumns {
  std::vector<std::uint8_t> bins;
  std::size_t rows;
  std::size_t columns;
  std::size_t positives;

  std::uint8_t at(std::size_t column, std::uint32_t row) const { return bins[column * rows + row]; }
};

void cut_into_bins(std::span<const float> values, std::span<std::uint8_t> bins) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double width = static_cast<double>(*high) - static_cast<double>(*low);
  for (std::size_t i = 0; i < values.size() && width > 0; ++i)
    bins[i] = static_cast<std::uint8_t>((static_cast<double>(values[i]) - static_cast<double>(*low)) / width *
                                        (kForestBins - 1));
}

BinnedColumns binned(const features::TripleVariables& variables, const SampleSet& samples,
                     const Context& context) {
  const std::size_t per_dim = variables.count();
  BinnedColumns table{{}, samples.size(), variables.dims() * per_dim, samples.positives};
  table.bins.resize(table.rows * table.columns);
  parallel_for(context, variables.dims(), kForestDimsPerPiece, [&](std::size_t begin, std::size_t end) {
    SampleColumns columns(variables);
    for (std::size_t dim = begin; dim < end; ++dim) {
      columns.take_dimension(dim);
      const simd::LabelledColumns gathered = columns.gather(samples);
      for (std::size_t v = 0; v < per_dim; ++v) {
        cut_into_bins({gathered.columns[v], table.rows},
                      std::span(table.bins).subspan((dim * per_dim + v) * table.rows, table.rows));
      }
    }
  });
  return table;
}

// n times the Gini impurity of n labels.
double impurity(std::size_t positives, std::size_t n) {
  if (n == 0) return 0;
  const auto p = static_cast<double>(positives);
  return 2 * p * (1 - p / static_cast<double>(n));
}

class Tree {
 public:
  Tree(const BinnedColumns& table, const CounterRandom& random, std::uint64_t first_counter)
      : table_(table),
        random_(random),
        counter_(first_counter),
        tries_(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(table.columns))))),
        decrease_(table.columns),
        rows_(table.rows) {
    for (std::uint32_t& row : rows_)
      row = static_cast<std::uint32_t>(random_.below(rows_.size(), counter_++));
  }

  const std::vector<double>& grow() {
    split(rows_, kDepth);
    return decrease_;
  }

 private:
  struct Candidate {
    std::size_t column = 0;
    std::size_t threshold = 0;  // bins up to it go left
    double decrease = 0;
  };

  std::size_t positives_in(std::span<const std::uint32_t> rows) const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](std::uint32_t row) { return row < table_.positives; }));
  }

  // The best threshold of a column; no decrease if it has but one value.
  Candidate best_of(std::size_t column, std::span<const std::uint32_t> rows, std::size_t positives) const {
    std::array<std::uint32_t, kForestBins> all = {};
    std::array<std::uint32_t, kForestBins> ones = {};
    for (const std::uint32_t row : rows) {
      const std::uint8_t bin = table_.at(column, row);
      ++all[bin];
      ones[bin] += row < table_.positives ? 1 : 0;
    }
    Candidate best{column, 0, 0};
    const double before = impurity(positives, rows.size());
    std::size_t left = 0;
    std::size_t left_positives = 0;
    for (std::size_t bin = 0; bin < kForestBins; ++bin) {
      if (all[bin] == 0) continue;
      left += all[bin];
      left_positives += ones[bin];
      const double decrease =
          before - impurity(left_positives, left) - impurity(positives - left_positives, rows.size() - left);
      if (decrease > best.decrease) best = {column, bin, decrease};
    }
    return best;
  }

  void split(std::span<std::uint32_t> rows, std::size_t depth) {
    const std::size_t positives = positives_in(rows);
    if (depth == 0 || rows.size() < kSmallestNode || positives == 0 || positives == rows.size()) return;
    Candidate best;
    for (std::size_t i = 0; i < tries_; ++i) {
      const Candidate candidate = best_of(random_.below(table_.columns, counter_++), rows, positives);
      if (candidate.decrease > best.decrease) best = candidate;
    }
    if (!(best.decrease > kRoundingOfImpurity)) return;
    decrease_[best.column] += best.decrease;
    const auto middle = std::partition(rows.begin(), rows.end(), [&](std::uint32_t row) {
      return table_.at(best.column, row) <= best.threshold;
    });
    split({rows.begin(), middle}, depth - 1);
    split({middle, rows.end()}, depth - 1);
  }

  const BinnedColumns& table_;
  const CounterRandom& random_;
  std::uint64_t counter_;
  const std::size_t tries_;
  std::vector<double> decrease_;     // of impurity, by column
  std::vector<std::uint32_t> rows_;  // drawn with replacement
};

}  // namespace

std::vector<double> forest_importance(const features::TripleVariables& variables, const SampleSet& samples,
                                      std::uint64_t group, const Context& context) {
  std::vector<double> importance(variables.dims());
  const SampleSet chosen = subset(samples, group, context.seed);
  if (chosen.size() == 0) return importance;
  const BinnedColumns table = binned(variables, chosen, context);
  const CounterRandom random(context.seed, kForestStream);
  std::vector<std::vector<double>> decreases(kTrees);
  ProgressTask progress(context, "growing trees", kTrees, "trees");
  parallel_for(context, kTrees, 1, [&](std::size_t tree, std::size_t) {
    decreases[tree] = Tree(table, random, (group * kTrees + tree) * kDrawsPerTree).grow();
    progress.advance(1);
  });
  double total = 0;
  for (const auto& decrease : decreases) {
    for (std::size_t column = 0; column < table.columns; ++column) {
      importance[column / variables.count()] += decrease[column];
      total += decrease[column];
    }
  }
  for (double& x : importance) x = total > 0 ? x / total : 0;
  return importance;
}

}  // namespace greenkgc::features
