#include "train/negatives/draw_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kFallbackStream = 0x64656314;
constexpr std::size_t kSampledFactsPerPiece = 1024;

class SampleDrawing {
 public:
  SampleDrawing(const NegativeSource& source, const NegativeSampler& sampler,
                std::span<const std::uint64_t> positions, std::size_t per_side, const Context& context)
      : source_(source),
        sampler_(sampler),
        random_(random_negatives(source, kFallbackStream)),
        positions_(positions),
        per_side_(per_side),
        context_(context) {}

  trees::Samples draw() {
    const std::size_t block = 1 + 2 * per_side_;
    for (auto& ids : samples_.ids) ids.resize(positions_.size() * block);
    samples_.facts.resize(positions_.size());
    fell_back_.resize(positions_.size());
    ProgressTask progress(context_, "sampling negatives", 2 * positions_.size(), "queries");
    draw_side(Side::kTail, progress);
    draw_side(Side::kHead, progress);
    close_gaps();
    say_fallbacks();
    return std::move(samples_);
  }

 private:
  // Queries of the same relation and answer in a row: some samplers keep what they know of an answer.
  void draw_side(Side side, ProgressTask& progress) {
    std::vector<std::size_t> order(positions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
      const Triple& fact = source_.facts[positions_[i]];
      return std::tuple(fact.relation, side == Side::kTail ? fact.tail : fact.head, i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    parallel_for(context_, order.size(), kSampledFactsPerPiece, [&](std::size_t begin, std::size_t end) {
      const auto drawer = sampler_.drawer();
      const auto random = random_->drawer();
      std::vector<EntityId> answers(per_side_);
      for (std::size_t k = begin; k < end; ++k) draw_query(order[k], side, *drawer, *random, answers);
      progress.advance(end - begin);
    });
  }

  void draw_query(std::size_t i, Side side, NegativeDrawer& drawer, NegativeDrawer& random,
                  std::span<EntityId> answers) {
    const Triple& fact = source_.facts[positions_[i]];
    const NegativeQuery query{fact, side, 2 * positions_[i] + (side == Side::kTail ? 0 : 1)};
    std::size_t count = drawer.draw(query, answers);
    if (count < answers.size()) {
      fell_back_[i] = 1;
      count += random.draw(query, answers.subspan(count));
    }
    trees::FactSamples& block = samples_.facts[i];
    block.first = i * (1 + 2 * per_side_);
    (side == Side::kTail ? block.false_tails : block.false_heads) = static_cast<std::uint32_t>(count);
    if (side == Side::kTail) put(block.first, fact);
    const std::size_t first = block.first + 1 + (side == Side::kTail ? 0 : per_side_);
    for (std::size_t k = 0; k < count; ++k) put(first + k, query.with_answer(answers[k]));
  }

  void put(std::size_t row, const Triple& triple) {
    samples_.ids[0][row] = index(triple.head);
    samples_.ids[1][row] = index(triple.relation);
    samples_.ids[2][row] = index(triple.tail);
  }

  // Rows for which there was no false answer go; labels come.
  void close_gaps() {
    std::size_t kept = 0;
    const auto move_rows = [&](std::size_t from, std::size_t count) {
      for (auto& ids : samples_.ids) std::copy_n(ids.data() + from, count, ids.data() + kept);
      kept += count;
    };
    for (trees::FactSamples& block : samples_.facts) {
      const std::size_t first = block.first;
      block.first = kept;
      move_rows(first, 1 + block.false_tails);
      move_rows(first + 1 + per_side_, block.false_heads);
    }
    for (auto& ids : samples_.ids) ids.resize(kept);
    samples_.labels.assign(kept, 0);
    for (const trees::FactSamples& block : samples_.facts) samples_.labels[block.first] = 1;
  }

  void say_fallbacks() const {
    std::set<RelationId> relations;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (fell_back_[i] != 0) relations.insert(source_.facts[positions_[i]].relation);
    }
    const std::size_t count = relations.size();
    if (count == 0) return;
    context_.say(
        LogLevel::kInfo,
        fmt::format("{} {} too few negatives of the requested kind; random entities are used for the rest",
                    count, count == 1 ? "relation has" : "relations have"));
  }

  const NegativeSource& source_;
  const NegativeSampler& sampler_;
  const std::unique_ptr<NegativeSampler> random_;
  const std::span<const std::uint64_t> positions_;
  const std::size_t per_side_;
  const Context& context_;
  trees::Samples samples_;
  std::vector<std::uint8_t> fell_back_;  // by fact; not bits, since threads write neighbors
};

}  // namespace

trees::Samples draw_samples(const NegativeSource& source, const NegativeSampler& sampler,
                            std::span<const std::uint64_t> positions, std::size_t per_side,
                            const Context& context) {
  return SampleDrawing(source, sampler, positions, per_side, context).draw();
}

}  // namespace greenkgc::decide
