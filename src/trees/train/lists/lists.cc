#include "trees/train/lists/lists.h"

#include <fmt/format.h>

#include <cmath>

#include "base/parallel.h"
#include "features/binned_table.h"
#include "greenkgc/error.h"

namespace greenkgc::trees {
namespace {

void check_finite(std::span<const float> values, std::size_t features) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw Error(ErrorCode::kBadInput,
                  fmt::format("feature {} of candidate {} is {}; features must be finite numbers",
                              i % features, i / features, values[i]));
  }
}

}  // namespace

void Lists::add(const trees::FeatureCuts& cuts, std::span<const float> values,
                std::span<const std::uint8_t> row_labels, std::span<const float> row_base) {
  features = cuts.size();
  check_finite(values, features);
  const std::size_t first = bins.size();
  bins.resize(first + values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    bins[first + i] = trees::bin_of(cuts[i % features], values[i]);
  labels.insert(labels.end(), row_labels.begin(), row_labels.end());
  base.insert(base.end(), row_base.begin(), row_base.end());
  base.resize(labels.size(), 0.0F);
  ends.push_back(labels.size());
}

void Lists::append(const Lists& other) {
  features = other.features;
  const std::size_t first = rows();
  bins.insert(bins.end(), other.bins.begin(), other.bins.end());
  labels.insert(labels.end(), other.labels.begin(), other.labels.end());
  base.insert(base.end(), other.base.begin(), other.base.end());
  for (const std::uint64_t end : other.ends) ends.push_back(first + end);
}

trees::FeatureCuts cuts_of_rows(std::span<const float> values, std::size_t features, std::size_t most_bins,
                                const Context& context) {
  check_finite(values, features);
  trees::FeatureCuts cuts(features);
  parallel_for(context, features, 1, [&](std::size_t feature, std::size_t) {
    std::vector<float> column;
    column.reserve(values.size() / features);
    for (std::size_t i = feature; i < values.size(); i += features) column.push_back(values[i]);
    cuts[feature] = features::quantile_cuts(column, most_bins);
  });
  return cuts;
}

}  // namespace greenkgc::trees
