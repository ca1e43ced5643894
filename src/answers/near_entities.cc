#include "answers/near_entities.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/top_k.h"

namespace greenkgc::answers {
namespace {

constexpr std::size_t kEntitiesAtOnce = 4096;

struct IsMoreAlike {
  bool operator()(const Neighbor& a, const Neighbor& b) const {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.entity < b.entity;
  }
};

}  // namespace

RowSimilarity::RowSimilarity(const model::Decisions& decisions, EntityId entity,
                             std::optional<RelationId> relation)
    : table_(decisions.tables.entities) {
  const auto dims = static_cast<std::uint32_t>(decisions.embeddings.dims);
  std::vector<std::uint32_t> kept(dims);
  std::iota(kept.begin(), kept.end(), 0U);
  if (relation) kept = decisions.groups[decisions.group_of[index(*relation)]].kept;
  for (std::uint32_t variable = 0; variable < table_.columns(); variable += dims) {
    for (const std::uint32_t dim : kept) {
      const std::uint32_t column = variable + dim;
      const auto own = static_cast<double>(table_.levels(column)[table_.bins(column)[index(entity)]]);
      columns_.push_back({column, own});
      own_square_ += own * own;
    }
  }
}

void RowSimilarity::fill(std::uint32_t first, std::span<double> similarities) const {
  std::vector<double> squares(similarities.size());
  std::fill(similarities.begin(), similarities.end(), 0.0);
  for (const auto& [column, own] : columns_) {
    const auto bins = table_.bins(column).subspan(first, similarities.size());
    const auto levels = table_.levels(column);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const auto level = static_cast<double>(levels[bins[i]]);
      similarities[i] += own * level;
      squares[i] += level * level;
    }
  }
  for (std::size_t i = 0; i < similarities.size(); ++i) {
    const double norms = std::sqrt(own_square_ * squares[i]);
    similarities[i] = norms > 0 ? std::clamp(similarities[i] / norms, -1.0, 1.0) : 0;
  }
}

double RowSimilarity::of(EntityId other) const {
  double similarity = 0;
  fill(index(other), {&similarity, 1});
  return similarity;
}

std::vector<Neighbor> nearest_entities(const model::Decisions& decisions, EntityId entity,
                                       std::optional<RelationId> relation, std::size_t k,
                                       const Context& context) {
  const RowSimilarity similarity(decisions, entity, relation);
  const std::size_t entities = decisions.tables.entities.rows();
  TopK<Neighbor, IsMoreAlike> nearest(k);
  std::mutex mutex;  // guards nearest
  ProgressTask progress(context, "comparing", entities, "entities");
  parallel_for(context, entities, kEntitiesAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<double> similarities(end - begin);
    similarity.fill(static_cast<std::uint32_t>(begin), similarities);
    TopK<Neighbor, IsMoreAlike> own(k);
    for (std::size_t i = begin; i < end; ++i) {
      const EntityId other{static_cast<std::uint32_t>(i)};
      if (other != entity) own.add({other, similarities[i - begin]});
    }
    progress.advance(end - begin);
    const std::lock_guard lock(mutex);
    nearest.merge(own);
  });
  return std::move(nearest).sorted();
}

}  // namespace greenkgc::answers
