#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "trees/train/lists/lists.h"

namespace greenkgc::trees {

// For tests and benchmarks: lists of candidates whose answers are told by two of the features, not without
// doubt. Half of the features are mostly 0, as counts are.
struct RandomLists {
  std::size_t features;
  std::vector<float> values;  // row by row
  std::vector<std::uint8_t> labels;
  std::vector<std::size_t> sizes;  // of lists
  trees::FeatureCuts cuts;
  Lists lists;

  RandomLists(std::size_t count, std::size_t longest, std::size_t feature_count, std::uint32_t seed,
              std::size_t most_bins = 256)
      : features(feature_count) {
    std::mt19937 random(seed);
    for (std::size_t list = 0; list < count; ++list) add_list(1 + random() % longest, random);
    cuts = cuts_of_rows(values, features, most_bins, {});
    std::size_t row = 0;
    for (const std::size_t size : sizes) {
      lists.add(cuts, std::span(values).subspan(row * features, size * features),
                std::span(labels).subspan(row, size));
      row += size;
    }
  }

 private:
  void add_list(std::size_t size, std::mt19937& random) {
    std::normal_distribution<float> normal;
    const std::size_t first = labels.size();
    std::size_t best = first;
    float best_score = -1e9F;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t f = 0; f < features; ++f)
        values.push_back(f % 2 == 0 || random() % 8 == 0 ? normal(random) : 0);
      const float* const row = values.data() + values.size() - features;
      const float score = row[0] + 2 * row[1] + normal(random) / 2;
      if (score > best_score) {
        best_score = score;
        best = first + i;
      }
      labels.push_back(0);
    }
    // Some lists have two answers, some none.
    if (random() % 10 != 0) labels[best] = 1;
    if (random() % 5 == 0) labels[first + random() % size] = 1;
    sizes.push_back(size);
  }
};

}  // namespace greenkgc::trees
