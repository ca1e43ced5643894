#include <algorithm>
#include <cmath>
#include <vector>

#include "decide/negatives.h"
#include "greenkgc/error.h"
#include "model/similarity.h"

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
      rank_pool(query, count);
      for (std::size_t i = 0; i < count; ++i) out[i] = ranked_[i].entity;
      return count;
    }

   private:
    struct Scored {
      float score;
      EntityId entity;
    };
    // The best `count` come first. Of equal scores, the lower id is better.
    void rank_pool(const NegativeQuery& query, std::size_t count) {
      const model::Embeddings& embeddings = *source_.embeddings;
      const EntityId asker = query.side == Side::kTail ? query.fact.head : query.fact.tail;
      embeddings.query(asker, query.fact.relation, query.side, std::span(query_vector_));
      ranked_.clear();
      for (const EntityId entity : pool_)
        ranked_.push_back(
            {model::similarity_of(embeddings.similarity, query_vector_, embeddings.entity(entity)), entity});
      std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(count), ranked_.end(),
                        [](const Scored& a, const Scored& b) {
                          return a.score != b.score ? a.score > b.score : a.entity < b.entity;
                        });
    }

    const NegativeSource& source_;
    const std::size_t pool_factor_;
    std::vector<float> query_vector_;
    std::vector<EntityId> pool_;
    std::vector<Scored> ranked_;
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
