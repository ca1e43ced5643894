#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "greenkgc/context.h"
#include "greenkgc/evaluate.h"
#include "rank/calibration/counted_margins.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::rank {

// Compares probabilities with the truth. The sum is exact to 2^-40 per candidate, so it does not depend on
// the order in which they come.
class ReliabilitySum {
 public:
  void add(double probability, bool is_fact);
  void add(const ReliabilitySum& part);
  Reliability result() const;

 private:
  struct Bin {
    std::uint64_t candidates = 0;
    std::uint64_t facts = 0;
    unsigned __int128 probabilities = 0;  // in units of 2^-40
  };
  static constexpr std::array kBounds = {0.0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3,
                                         0.4, 0.5,   0.6,  0.7,  0.8, 0.9, 1.0};
  static std::size_t bin_of(double probability);

  std::array<Bin, kBounds.size() - 1> bins_;
};

struct ReliabilityPair {
  Reliability top;
  Reliability all;
};
// Over the k best answers of each query, and over all candidates, by the ranker's probabilities. The same for
// any number of threads. Known answers that are evidence are left out with the other known ones.
ReliabilityPair measure_reliability(const Ranker& ranker, std::span<const Query> queries, const Truth& truth,
                                    std::size_t k, const Context& context);

}  // namespace greenkgc::rank
