#include "train/rerank/match_offset.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rank/rankers/likely_queries.h"
#include "train/rerank/fact_queries.h"

namespace greenkgc {
namespace {

using graph::Query;

// Of queries that are asked to match the offset: the likeliest to have a missing answer, and a sample of the
// others. Few queries hold most of what is expected, so a plain sample would miss or overrate them.
constexpr std::size_t kMatchLikeliest = 1500;
constexpr std::size_t kMatchOthers = 1000;
constexpr float kMaxMove = 4;
constexpr int kBisections = 30;

struct MatchQueries {
  std::vector<Query> queries;   // the likeliest ones, then others
  double weight_of_others = 1;  // how many each of these stands for
  std::size_t all = 0;
};

MatchQueries match_queries(const rank::TwoStageRanker& ranker, const Context& context) {
  std::vector<Query> all = rank::likely_queries(ranker.profiles(), all_relations(ranker));
  MatchQueries match{.queries = {}, .weight_of_others = 1, .all = all.size()};
  if (all.size() <= kMatchLikeliest) {
    match.queries = std::move(all);
    return match;
  }
  std::vector<std::pair<float, Query>> by_score;
  by_score.reserve(all.size());
  for (const Query& query : all) by_score.emplace_back(-ranker.query_score(query), query);
  const auto others = by_score.begin() + static_cast<std::ptrdiff_t>(kMatchLikeliest);
  std::nth_element(by_score.begin(), others, by_score.end());
  std::vector<Query> rest;
  for (auto i = by_score.begin(); i != by_score.end(); ++i)
    (i < others ? match.queries : rest).push_back(i->second);
  std::sort(match.queries.begin(), match.queries.end());
  std::sort(rest.begin(), rest.end());
  const auto count = static_cast<double>(rest.size());
  rest = sample_queries(std::move(rest), kMatchOthers, context);
  match.weight_of_others = count / static_cast<double>(rest.size());
  match.queries.insert(match.queries.end(), rest.begin(), rest.end());
  return match;
}

}  // namespace

float matched_offset(const rank::TwoStageRanker& ranker, const Context& context) {
  const model::FactTrees& trees = ranker.fact_trees();
  const MatchQueries match = match_queries(ranker, context);
  const std::vector<Query>& queries = match.queries;
  const CounterRandom random = pick_random(context);
  std::vector<std::vector<float>> sums(queries.size());
  ranker.evidence()->read(
      queries,
      [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
        std::vector<float> scores;
        ranker.score(list, scores);
        ranker.leaf_sums(queries[i], list, scores,
                         picks_of(scores, list.entities, random, key_of(queries[i])), sums[i]);
      },
      context);
  const auto expected_by = [&](float offset) {
    model::FactTrees moved;
    moved.ceiling = trees.ceiling;
    moved.slope = trees.slope;
    moved.offset = offset;
    moved.labeled_share = trees.labeled_share;
    moved.relation_offsets = trees.relation_offsets;
    double expected = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const double weight = i < kMatchLikeliest ? 1 : match.weight_of_others;
      for (const float sum : sums[i]) expected += weight * moved.probability(sum, queries[i].relation);
    }
    return expected;
  };
  const double wanted = static_cast<double>(trees.missing_per_query) * static_cast<double>(match.all);
  float low = trees.offset - kMaxMove;
  float high = trees.offset + kMaxMove;
  for (int step = 0; step < kBisections; ++step) {
    const float middle = (low + high) / 2;
    (expected_by(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace greenkgc
