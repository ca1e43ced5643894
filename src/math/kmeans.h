#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"

namespace greenkgc::math {

struct KMeansOptions {
  std::size_t clusters;
  // Few points in many dimensions have many local optima. WN18RR's relations (RotatE 500) in three clusters:
  // inertia 3,817 with 10 restarts, 3,810 with 50; 3,800 is possible.
  std::size_t restarts = 50;
  std::size_t iterations = 100;  // at most, per restart
};

struct Clustering {
  std::vector<std::uint32_t> cluster_of;  // one per point; clusters are numbered by their first point
  double inertia = 0;                     // sum of squared distances to the cluster's mean
};

// k-means with k-means++ starts; the restart of least inertia wins. Every cluster has at least one point: one
// that loses all of them starts anew at the point that is farthest from its mean. `points` are rows of
// `width` floats. The same seed gives the same result for any number of threads. Throws kUsage if there are
// more clusters than points.
Clustering kmeans(std::span<const float> points, std::size_t width, const KMeansOptions& options,
                  const Context& context);

}  // namespace greenkgc::math
