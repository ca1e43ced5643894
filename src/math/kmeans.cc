#include "math/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "greenkgc/error.h"
#include "greenkgc/ids.h"
#include "simd/vector/rows.h"

namespace greenkgc::math {
namespace {

constexpr std::uint32_t kStartStream = 0x6B6D6E73;

// One restart.
class Run {
 public:
  Run(std::span<const float> points, std::size_t width, const KMeansOptions& options)
      : points_(points),
        width_(width),
        count_(points.size() / width),
        options_(options),
        means_(options.clusters * width),
        cluster_of_(count_),
        distance_(count_, std::numeric_limits<float>::infinity()),
        sizes_(options.clusters) {}

  Clustering cluster(const CounterRandom& random, std::uint64_t first_counter, const Context& context) {
    choose_starts(random, first_counter);
    for (std::size_t i = 0; i < options_.iterations; ++i) {
      context.check_cancelled();
      const std::vector<std::uint32_t> before = cluster_of_;
      assign();
      fill_empty_clusters();
      if (i > 0 && before == cluster_of_) break;
      move_means();
    }
    return {cluster_of_, inertia()};
  }

 private:
  std::span<const float> point(std::size_t i) const { return points_.subspan(i * width_, width_); }
  std::span<const float> mean(std::size_t c) const { return {means_.data() + c * width_, width_}; }

  // k-means++: each start is a point drawn by its squared distance to the nearest start so far.
  void choose_starts(const CounterRandom& random, std::uint64_t counter) {
    std::size_t chosen = random.below(count_, counter);
    for (std::size_t c = 0; c < options_.clusters; ++c) {
      if (c > 0) chosen = draw_by_distance(random.unit(counter + c));
      std::copy_n(point(chosen).begin(), width_, means_.begin() + static_cast<std::ptrdiff_t>(c * width_));
      for (std::size_t i = 0; i < count_; ++i)
        distance_[i] = std::min(distance_[i], simd::squared_distance(point(i), mean(c)));
    }
  }

  std::size_t draw_by_distance(double unit) const {
    double total = 0;
    for (const float d : distance_) total += static_cast<double>(d);
    double left = unit * total;
    for (std::size_t i = 0; i < count_; ++i) {
      left -= static_cast<double>(distance_[i]);
      if (left < 0) return i;
    }
    return count_ - 1;  // all points are starts already, or rounding
  }

  void assign() {
    std::fill(sizes_.begin(), sizes_.end(), 0);
    for (std::size_t i = 0; i < count_; ++i) {
      distance_[i] = std::numeric_limits<float>::infinity();
      cluster_of_[i] = 0;
      for (std::uint32_t c = 0; c < options_.clusters; ++c) {
        const float d = simd::squared_distance(point(i), mean(c));
        if (d < distance_[i]) {
          distance_[i] = d;
          cluster_of_[i] = c;
        }
      }
      ++sizes_[cluster_of_[i]];
    }
  }

  void fill_empty_clusters() {
    for (std::uint32_t c = 0; c < options_.clusters; ++c) {
      if (sizes_[c] > 0) continue;
      std::size_t farthest = count_;
      for (std::size_t i = 0; i < count_; ++i) {
        if (sizes_[cluster_of_[i]] > 1 && (farthest == count_ || distance_[i] > distance_[farthest]))
          farthest = i;
      }
      --sizes_[cluster_of_[farthest]];
      ++sizes_[c];
      cluster_of_[farthest] = c;
      distance_[farthest] = 0;
    }
  }

  void move_means() {
    std::vector<double> sums(means_.size());
    for (std::size_t i = 0; i < count_; ++i) {
      double* sum = sums.data() + cluster_of_[i] * width_;
      for (std::size_t k = 0; k < width_; ++k) sum[k] += static_cast<double>(point(i)[k]);
    }
    for (std::size_t j = 0; j < means_.size(); ++j)
      means_[j] = static_cast<float>(sums[j] / static_cast<double>(sizes_[j / width_]));
  }

  double inertia() {
    move_means();
    double total = 0;
    for (std::size_t i = 0; i < count_; ++i)
      total += static_cast<double>(simd::squared_distance(point(i), mean(cluster_of_[i])));
    return total;
  }

  const std::span<const float> points_;
  const std::size_t width_;
  const std::size_t count_;
  const KMeansOptions& options_;
  std::vector<float> means_;
  std::vector<std::uint32_t> cluster_of_;
  std::vector<float> distance_;  // of each point to its cluster's mean, squared
  std::vector<std::size_t> sizes_;
};

void number_by_first_point(Clustering& clustering, std::size_t clusters) {
  std::vector<std::uint32_t> number(clusters, kMaxIds);
  std::uint32_t next = 0;
  for (std::uint32_t& cluster : clustering.cluster_of) {
    if (number[cluster] == kMaxIds) number[cluster] = next++;
    cluster = number[cluster];
  }
}

}  // namespace

Clustering kmeans(std::span<const float> points, std::size_t width, const KMeansOptions& options,
                  const Context& context) {
  const std::size_t count = points.size() / width;
  if (options.clusters > count) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} requested, but there are only {}",
                            count_of(options.clusters, "relation group"), count_of(count, "relation")));
  }
  std::vector<Clustering> runs(options.restarts);
  const CounterRandom random(context.seed, kStartStream);
  parallel_for(context, runs.size(), 1, [&](std::size_t begin, std::size_t) {
    runs[begin] = Run(points, width, options).cluster(random, begin * options.clusters, context);
  });
  Clustering best = *std::min_element(runs.begin(), runs.end(), [](const Clustering& a, const Clustering& b) {
    return a.inertia < b.inertia;
  });
  number_by_first_point(best, options.clusters);
  return best;
}

}  // namespace greenkgc::math
