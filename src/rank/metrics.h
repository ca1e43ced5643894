#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "greenkgc/evaluate.h"
#include "rank/ranks.h"

namespace greenkgc::rank {

// Which candidates a rank is counted among (greenkgc/evaluate.h says what each means).
enum class Protocol { kFiltered, kRaw, kRange, kPaper };
Protocol parse_protocol(std::string_view name);

// The rank under a protocol. For kFiltered and kRaw the difference is in Candidates::known, not here.
Rank rank_under(Protocol protocol, const Ranks& ranks);

// Adds up metrics over ranks, in the order in which they come.
class MetricSum {
 public:
  void add(const Rank& rank);
  TieMetrics mean() const;  // zeros if there were none

 private:
  struct Sums {
    double reciprocal = 0;
    double rank = 0;
    std::uint64_t within_1 = 0;
    std::uint64_t within_3 = 0;
    std::uint64_t within_10 = 0;
    void add(double value);
    RankMetrics over(std::uint64_t queries) const;
  };
  Sums realistic_;
  Sums optimistic_;
  Sums pessimistic_;
  double squared_reciprocal_ = 0;
  std::uint64_t queries_ = 0;
};

}  // namespace greenkgc::rank
