#include "rank/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "greenkgc/error.h"

namespace greenkgc::rank {

Protocol parse_protocol(std::string_view name) {
  if (name == "filtered") return Protocol::kFiltered;
  if (name == "raw") return Protocol::kRaw;
  if (name == "range") return Protocol::kRange;
  if (name == "paper") return Protocol::kPaper;
  throw Error(ErrorCode::kUsage, fmt::format("there is no protocol {}", name));
}

Rank rank_under(Protocol protocol, const Ranks& ranks) {
  switch (protocol) {
    case Protocol::kFiltered:
    case Protocol::kRaw:
      return ranks.all;
    case Protocol::kPaper:
      return ranks.in_range;
    case Protocol::kRange:
      break;
  }
  if (ranks.answer_in_range) return ranks.in_range;
  // Everything in range comes first, then the rest by score.
  return {ranks.range_candidates + ranks.all.better - ranks.in_range.better,
          ranks.all.equal - ranks.in_range.equal};
}

void MetricSum::Sums::add(double value) {
  reciprocal += 1 / value;
  rank += value;
  within_1 += value <= 1 ? 1 : 0;
  within_3 += value <= 3 ? 1 : 0;
  within_10 += value <= 10 ? 1 : 0;
}

RankMetrics MetricSum::Sums::over(std::uint64_t queries) const {
  const auto n = static_cast<double>(queries);
  return {reciprocal / n, rank / n, static_cast<double>(within_1) / n, static_cast<double>(within_3) / n,
          static_cast<double>(within_10) / n};
}

void MetricSum::add(const Rank& rank) {
  realistic_.add(rank.realistic());
  optimistic_.add(rank.optimistic());
  pessimistic_.add(rank.pessimistic());
  squared_reciprocal_ += 1 / (rank.realistic() * rank.realistic());
  ++queries_;
}

TieMetrics MetricSum::mean() const {
  TieMetrics metrics;
  if (queries_ == 0) return metrics;
  metrics.queries = queries_;
  metrics.realistic = realistic_.over(queries_);
  metrics.optimistic = optimistic_.over(queries_);
  metrics.pessimistic = pessimistic_.over(queries_);
  const auto n = static_cast<double>(queries_);
  const double variance = squared_reciprocal_ / n - metrics.realistic.mrr * metrics.realistic.mrr;
  metrics.mrr_standard_error = std::sqrt(std::max(0.0, variance) / n);
  return metrics;
}

}  // namespace greenkgc::rank
