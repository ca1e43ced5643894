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
  const std::size_t first = rows();
  append_rows(other, 0, other.rows());
  for (const std::uint64_t end : other.ends) ends.push_back(first + end);
}

void Lists::append(const Lists& other, std::size_t list) {
  append_rows(other, other.begin(list), other.end(list));
  ends.push_back(rows());
}

void Lists::append_rows(const Lists& other, std::size_t first, std::size_t last) {
  features = other.features;
  const auto begin = static_cast<std::ptrdiff_t>(first);
  const auto end = static_cast<std::ptrdiff_t>(last);
  const auto width = static_cast<std::ptrdiff_t>(features);
  bins.insert(bins.end(), other.bins.begin() + begin * width, other.bins.begin() + end * width);
  labels.insert(labels.end(), other.labels.begin() + begin, other.labels.begin() + end);
  base.insert(base.end(), other.base.begin() + begin, other.base.begin() + end);
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
