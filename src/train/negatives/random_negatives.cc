#include "train/negatives/negatives.h"

namespace greenkgc::decide {
namespace {

class RandomNegatives : public NegativeSampler {
 public:
  RandomNegatives(const NegativeSource& source, std::uint32_t stream) : source_(source), stream_(stream) {}
  std::unique_ptr<NegativeDrawer> drawer() const override {
    return std::make_unique<Drawer>(source_, stream_);
  }

 private:
  class Drawer : public NegativeDrawer {
   public:
    Drawer(const NegativeSource& source, std::uint32_t stream) : source_(source), stream_(stream) {}
    std::size_t draw(const NegativeQuery& query, std::span<EntityId> out) override {
      return draw_unknown(source_.entity_count, source_.known_answers(query), source_.seed, stream_,
                          query.place, out);
    }

   private:
    const NegativeSource& source_;
    const std::uint32_t stream_;
  };

  const NegativeSource source_;
  const std::uint32_t stream_;
};

}  // namespace

std::unique_ptr<NegativeSampler> random_negatives(const NegativeSource& source, std::uint32_t stream) {
  return std::make_unique<RandomNegatives>(source, stream);
}

}  // namespace greenkgc::decide
