#include "rank/ranks.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "kge/similarity.h"
#include "math/gemm.h"
#include "rank/candidate_counts.h"
#include "simd/vector/rows.h"

namespace greenkgc::rank {
namespace {

using kge::Embeddings;
using kge::Similarity;

// A tile of scores is half a megabyte and a tile of rows at 1,000 floats 4 MB: in cache while it is used.
constexpr std::size_t kQueriesPerBlock = 128;
constexpr std::size_t kEntitiesPerTile = 1024;

// The score by which ranks are decided. Only its order counts, so distances keep their square.
double exact_score(Similarity similarity, std::span<const double> q, std::span<const float> c) {
  double total = 0;
  if (similarity == Similarity::kDot) {
    for (std::size_t k = 0; k < q.size(); ++k) total += q[k] * static_cast<double>(c[k]);
    return total;
  }
  if (similarity == Similarity::kManhattan) {
    for (std::size_t k = 0; k < q.size(); ++k) total += std::abs(q[k] - static_cast<double>(c[k]));
    return -total;
  }
  if (similarity == Similarity::kModuli) {
    const std::size_t half = q.size() / 2;
    for (std::size_t k = 0; k < half; ++k)
      total += std::hypot(q[k] - static_cast<double>(c[k]), q[half + k] - static_cast<double>(c[half + k]));
    return -total;
  }
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double difference = q[k] - static_cast<double>(c[k]);
    total += difference * difference;
  }
  return -total;
}

// What all blocks share.
struct Entities {
  std::vector<float> half_norms;  // |c|^2 / 2, for Euclidean distances
  float longest = 0;              // the largest |c|
};

Entities measure_entities(const Embeddings& embeddings, const Context& context) {
  Entities entities;
  if (kge::is_manhattan(embeddings.similarity)) return entities;
  entities.half_norms.resize(embeddings.entity_count);
  parallel_for(context, embeddings.entity_count, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double norm = 0;
      for (const float x : embeddings.entity(EntityId{static_cast<std::uint32_t>(i)}))
        norm += static_cast<double>(x) * x;
      entities.half_norms[i] = static_cast<float>(norm / 2);
    }
  });
  const auto largest = std::max_element(entities.half_norms.begin(), entities.half_norms.end());
  if (largest != entities.half_norms.end()) entities.longest = std::sqrt(2 * *largest);
  return entities;
}

// One block of queries against all entities.
class BlockRanker {
 public:
  BlockRanker(const Embeddings& embeddings, const Entities& entities, const Candidates& candidates,
              std::span<const RankQuery> queries, std::span<Ranks> ranks)
      : embeddings_(embeddings),
        entities_(entities),
        candidates_(candidates),
        queries_(queries),
        ranks_(ranks),
        width_(embeddings.entity_width()),
        q_(queries.size() * width_),
        exact_q_(queries.size() * width_),
        scores_(queries.size() * kEntitiesPerTile) {
    targets_.reserve(queries.size());
  }

  void run() {
    for (std::size_t i = 0; i < queries_.size(); ++i) prepare(i);
    for (std::size_t begin = 0; begin < embeddings_.entity_count; begin += kEntitiesPerTile) {
      const std::size_t end = std::min<std::size_t>(embeddings_.entity_count, begin + kEntitiesPerTile);
      score_tile(begin, end);
      for (std::size_t i = 0; i < queries_.size(); ++i) count_tile(i, begin, end);
    }
  }

 private:
  struct Target {
    CandidateCounter counter;
    double exact = 0;                       // score of the answer
    CandidateCounter::Doubtful doubtful{};  // float scores that may tie with it
  };

  void prepare(std::size_t i) {
    const RankQuery& query = queries_[i];
    const std::span<double> exact_q(exact_q_.data() + i * width_, width_);
    embeddings_.query(query.known, query.relation, query.side, exact_q);
    double norm = 0;
    for (std::size_t k = 0; k < width_; ++k) {
      q_[i * width_ + k] = static_cast<float>(exact_q[k]);
      norm += exact_q[k] * exact_q[k];
    }
    Target& target = targets_.emplace_back(Target{CandidateCounter(query, candidates_)});
    target.exact = exact_score(embeddings_.similarity, exact_q, embeddings_.entity(query.answer));
    // Tiles hold <q, c> - |c|^2 / 2 for Euclidean distances: the same order, without the part that all share.
    const double score = kge::is_euclidean(embeddings_.similarity) ? (target.exact + norm) / 2 : target.exact;
    const double doubt = uncertainty(score, std::sqrt(norm));
    target.doubtful = {static_cast<float>(score - doubt), static_cast<float>(score + doubt)};
    ranks_[i].answer_in_range = target.counter.answer_in_range();
  }

  // How far the float score of a candidate that seems to tie may be from its exact one: each of width + 16
  // roundings errs by 2^-24 of a sum whose terms add up to at most |q| |c| (and |c|^2), or to the Manhattan
  // distance itself, to which the rounding of q adds. Twice that, for all that is not counted here.
  double uncertainty(double score, double query_length) const {
    constexpr double kUnit = 0x1p-23;
    const double roundings = static_cast<double>(width_ + 16) * kUnit;
    const double root_width = std::sqrt(static_cast<double>(width_));
    if (kge::is_manhattan(embeddings_.similarity)) {
      return 1.01 * roundings * std::abs(score) + 2 * kUnit * root_width * query_length + 1e-30;
    }
    const double longest = entities_.longest;
    return roundings * longest * (query_length + longest) + kUnit * std::abs(score) + 1e-30;
  }

  void score_tile(std::size_t begin, std::size_t end) {
    const float* rows = embeddings_.entities.data() + begin * width_;
    const std::size_t count = end - begin;
    if (kge::is_manhattan(embeddings_.similarity)) {
      simd::negative_manhattan_distances(kge::row_numbers(embeddings_.similarity),
                                         {q_.data(), queries_.size(), width_}, {rows, count, width_}, width_,
                                         scores_.data(), kEntitiesPerTile);
      return;
    }
    math::gemm({q_.data(), queries_.size(), width_, width_}, {rows, count, width_, width_},
               {scores_.data(), queries_.size(), count, kEntitiesPerTile},
               {.transpose_b = math::Transpose::kYes});
    if (!kge::is_euclidean(embeddings_.similarity)) return;
    const std::span<const float> half_norms(entities_.half_norms.data() + begin, count);
    for (std::size_t i = 0; i < queries_.size(); ++i)
      simd::add_scaled(scores_row(i, count), -1.0F, half_norms);
  }

  void count_tile(std::size_t i, std::size_t begin, std::size_t end) {
    Target& target = targets_[i];
    target.counter.count(
        begin, scores_row(i, end - begin), target.doubtful,
        [&](std::size_t candidate, Rank& rank) { settle(i, candidate, rank); }, ranks_[i]);
  }

  void settle(std::size_t i, std::size_t candidate, Rank& rank) const {
    const double score = exact_score(embeddings_.similarity, {exact_q_.data() + i * width_, width_},
                                     embeddings_.entity(EntityId{static_cast<std::uint32_t>(candidate)}));
    if (score > targets_[i].exact) ++rank.better;
    if (score == targets_[i].exact) ++rank.equal;
  }

  std::span<float> scores_row(std::size_t i, std::size_t count) {
    return {scores_.data() + i * kEntitiesPerTile, count};
  }

  const Embeddings& embeddings_;
  const Entities& entities_;
  const Candidates& candidates_;
  std::span<const RankQuery> queries_;
  std::span<Ranks> ranks_;
  const std::size_t width_;
  std::vector<float> q_;
  std::vector<double> exact_q_;
  std::vector<Target> targets_;
  std::vector<float> scores_;
};

}  // namespace

std::vector<RankQuery> tail_queries(std::span<const Triple> facts) {
  std::vector<RankQuery> queries;
  queries.reserve(facts.size());
  for (const Triple& fact : facts) queries.push_back(tail_query(fact));
  return queries;
}

std::vector<Ranks> rank_answers(const Embeddings& embeddings, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context) {
  std::vector<Ranks> ranks(queries.size());
  ProgressTask progress(context, "ranking", queries.size(), "queries");
  const Entities entities = measure_entities(embeddings, context);
  parallel_for(context, queries.size(), kQueriesPerBlock, [&](std::size_t begin, std::size_t end) {
    BlockRanker(embeddings, entities, candidates, queries.subspan(begin, end - begin),
                std::span(ranks).subspan(begin, end - begin))
        .run();
    progress.advance(end - begin);
  });
  return ranks;
}

std::vector<Ranks> rank_answers(const features::Features& features, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context) {
  std::vector<Ranks> ranks(queries.size());
  for (std::uint32_t group = 0; group < features.groups.size(); ++group) {
    std::vector<RankQuery> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (features.group_of[index(queries[i].relation)] != group) continue;
      own.push_back(queries[i]);
      places.push_back(i);
    }
    if (own.empty()) continue;
    const auto own_ranks =
        rank_answers(features::group_embeddings(features, group), own, candidates, context);
    for (std::size_t i = 0; i < own.size(); ++i) ranks[places[i]] = own_ranks[i];
  }
  return ranks;
}

}  // namespace greenkgc::rank
