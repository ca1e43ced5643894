#include <algorithm>
#include <cmath>

#include "rank/calibration/calibrate.h"

namespace greenkgc::rank {
namespace {

// Candidates whose margins are neighbors and that get one probability.
struct Pool {
  float first;
  float last;
  double positives;
  double negatives;

  double size() const { return positives + negatives; }
  double share() const { return positives / size(); }
  // With the pool behind it.
  Pool with(const Pool& behind) const {
    return {first, behind.last, positives + behind.positives, negatives + behind.negatives};
  }
  // Of its samples, in nats, if all get its share.
  double log_loss() const {
    const auto part = [&](double n) { return n > 0 ? -n * std::log(n / size()) : 0; };
    return part(positives) + part(negatives);
  }
};

std::vector<Pool> pool_violators(std::span<const CountedMargin> samples) {
  std::vector<Pool> pools;
  for (const CountedMargin& sample : samples) {
    if (sample.positives + sample.negatives == 0) continue;
    Pool pool{sample.margin, sample.margin, static_cast<double>(sample.positives),
              static_cast<double>(sample.negatives)};
    while (!pools.empty() && pools.back().share() >= pool.share()) {
      pool = pools.back().with(pool);
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  return pools;
}

// Merges neighbors until there are at most so many, each time those two that lose least likelihood.
void merge_to(std::size_t most, std::vector<Pool>& pools) {
  const auto cost = [&](std::size_t i) {
    return pools[i].with(pools[i + 1]).log_loss() - pools[i].log_loss() - pools[i + 1].log_loss();
  };
  std::vector<double> costs;  // of merging pool i with the next
  for (std::size_t i = 0; i + 1 < pools.size(); ++i) costs.push_back(cost(i));
  while (pools.size() > most) {
    const auto i = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    pools[i] = pools[i].with(pools[i + 1]);
    pools.erase(pools.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    costs.erase(costs.begin() + static_cast<std::ptrdiff_t>(i));
    if (i > 0) costs[i - 1] = cost(i - 1);
    if (i < costs.size()) costs[i] = cost(i);
  }
}

// 0 and 1 would claim more than any number of samples can show.
std::vector<double> shares_of(const std::vector<Pool>& pools) {
  std::vector<double> shares;
  shares.reserve(pools.size());
  for (const Pool& pool : pools) shares.push_back(pool.share());
  const auto smoothed = [](const Pool& pool) { return (pool.positives + 1) / (pool.size() + 2); };
  const std::size_t last = pools.size() - 1;
  if (shares[0] == 0) shares[0] = std::min(smoothed(pools[0]), last > 0 ? shares[1] : 1);
  if (shares[last] == 1) shares[last] = std::max(smoothed(pools[last]), last > 0 ? shares[last - 1] : 0);
  return shares;
}

}  // namespace

model::Calibration fit_isotonic(std::span<const CountedMargin> samples) {
  std::vector<Pool> pools = pool_violators(samples);
  merge_to(kMostKnots / 2, pools);
  const std::vector<double> shares = shares_of(pools);
  model::Calibration curve;
  const auto add = [&](float margin, double share) {
    curve.margins.push_back(margin);
    curve.probabilities.push_back(static_cast<float>(share));
  };
  for (std::size_t i = 0; i < pools.size(); ++i) {
    add(pools[i].first, shares[i]);
    if (pools[i].last > pools[i].first) add(pools[i].last, shares[i]);
  }
  return curve;
}

}  // namespace greenkgc::rank
