#include <algorithm>
#include <vector>

#include "base/top_k.h"
#include "graph/query.h"
#include "greenkgc/error.h"
#include "kge/similarity.h"
#include "train/negatives/negatives.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kEmbeddingNegativeStream = 0x64656313;

class EmbeddingNegatives : public NegativeSampler {
 public:
  EmbeddingNegatives(const NegativeSource& source, std::size_t pool_factor)
      : source_(source), pool_factor_(pool_factor) {}
  std::unique_ptr<NegativeDrawer> drawer() const override {
    return std::make_unique<Drawer>(source_, pool_factor_);
  }

 private:
  class Drawer : public NegativeDrawer {
   public:
    Drawer(const NegativeSource& source, std::size_t pool_factor)
        : source_(source), pool_factor_(pool_factor), query_vector_(source.embeddings->entity_width()) {}

    std::size_t draw(const NegativeQuery& query, std::span<EntityId> out) override {
      pool_.resize(out.size() * pool_factor_);
      pool_.resize(draw_unknown(source_.entity_count, source_.known_answers(query), source_.seed,
                                kEmbeddingNegativeStream, query.place, pool_));
      const std::size_t count = std::min(out.size(), pool_.size());
      const auto best = best_of_pool(query, count);
      for (std::size_t i = 0; i < count; ++i) out[i] = best[i].entity;
      return count;
    }

   private:
    std::vector<graph::ScoredEntity> best_of_pool(const NegativeQuery& query, std::size_t count) {
      const kge::Embeddings& embeddings = *source_.embeddings;
      const EntityId asker = query.side == Side::kTail ? query.fact.head : query.fact.tail;
      embeddings.query(asker, query.fact.relation, query.side, std::span(query_vector_));
      TopK<graph::ScoredEntity, graph::IsBetter> best(count);
      for (const EntityId entity : pool_)
        best.add(
            {entity, kge::similarity_of(embeddings.similarity, query_vector_, embeddings.entity(entity))});
      return std::move(best).sorted();
    }

    const NegativeSource& source_;
    const std::size_t pool_factor_;
    std::vector<float> query_vector_;
    std::vector<EntityId> pool_;
  };

  const NegativeSource source_;
  const std::size_t pool_factor_;
};

}  // namespace

std::unique_ptr<NegativeSampler> embedding_negatives(const NegativeSource& source, std::size_t pool_factor) {
  if (source.embeddings == nullptr)
    throw Error(ErrorCode::kUsage, "negatives 'embedding' need an embedding that gives scores");
  return std::make_unique<EmbeddingNegatives>(source, pool_factor);
}

}  // namespace greenkgc::decide
