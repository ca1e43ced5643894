#include "decide/base_margin.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/logistic_fit.h"
#include "kernels/parallel.h"
#include "model/similarity.h"

namespace greenkgc::decide {
namespace {

using model::Side;

constexpr std::size_t kFactsPerPiece = 256;

// Of one sample.
struct BaseVariables {
  float score;
  float head_count;  // log(1 + n)
  float tail_count;
};

// Calls use(row, side, variables) for every sample and side that it stands on (a fact on both), in several
// threads, all of a fact's samples in one.
template <class Use>
void for_each_answer(const Samples& samples, const BaseInputs& inputs, OwnFact own, const Context& context,
                     const Use& use) {
  const model::Embeddings& embeddings = inputs.embeddings;
  const std::uint32_t counted = own == OwnFact::kCounted ? 1 : 0;
  parallel_for(context, samples.facts.size(), kFactsPerPiece, [&](std::size_t begin, std::size_t end) {
    std::vector<float> query(embeddings.entity_width());
    for (std::size_t f = begin; f < end; ++f) {
      const FactSamples& block = samples.facts[f];
      const Triple fact = samples.triple(block.first);
      const auto log_count = [&](const graph::RelationRanges::Lists& lists, EntityId entity,
                                 EntityId own_end) {
        std::uint32_t count = lists.count(fact.relation, entity);
        if (entity == own_end) count -= std::min(count, counted);
        return std::log1p(static_cast<float>(count));
      };
      const auto visit = [&](std::size_t row, Side side) {
        const Triple triple = samples.triple(row);
        const EntityId answer = side == Side::kTail ? triple.tail : triple.head;
        use(row, side,
            BaseVariables{model::similarity_of(embeddings.similarity, query, embeddings.entity(answer)),
                          log_count(inputs.counts.all_heads(), triple.head, fact.head),
                          log_count(inputs.counts.all_tails(), triple.tail, fact.tail)});
      };
      const std::size_t tails = block.first + 1;
      const std::size_t heads = tails + block.false_tails;
      embeddings.query(fact.head, fact.relation, Side::kTail, std::span<float>(query));
      for (std::size_t row = block.first; row < heads; ++row) visit(row, Side::kTail);
      embeddings.query(fact.tail, fact.relation, Side::kHead, std::span<float>(query));
      visit(block.first, Side::kHead);
      for (std::size_t row = heads; row < heads + block.false_heads; ++row) visit(row, Side::kHead);
    }
  });
}

// The answers to the questions for one side, facts first, as the columns of a logistic regression.
class SideAnswers {
 public:
  explicit SideAnswers(const Samples& samples, Side side) : place_(samples.size()) {
    for (const FactSamples& block : samples.facts) place_[block.first] = facts_++;
    std::size_t next = facts_;
    for (const FactSamples& block : samples.facts) {
      const std::size_t tails = block.first + 1;
      const std::size_t heads = tails + block.false_tails;
      const std::size_t begin = side == Side::kTail ? tails : heads;
      const std::size_t end = side == Side::kTail ? heads : heads + block.false_heads;
      for (std::size_t row = begin; row < end; ++row) place_[row] = next++;
    }
    false_answers_ = next - facts_;
    for (auto& column : columns_) column.assign(next, 1);
  }

  void set(std::size_t row, const BaseVariables& variables) {
    columns_[1][place_[row]] = variables.score;
    columns_[2][place_[row]] = variables.head_count;
    columns_[3][place_[row]] = variables.tail_count;
  }

  model::BaseMargin fit() const {
    if (facts_ == 0 || false_answers_ == 0) return {};
    LabelledColumns labelled{{}, columns_.size(), facts_, false_answers_};
    for (std::size_t v = 0; v < columns_.size(); ++v) labelled.columns[v] = columns_[v].data();
    const VariableWeights weights = fit_logistic(labelled).weights;
    return {static_cast<float>(weights[0]), static_cast<float>(weights[1]), static_cast<float>(weights[2]),
            static_cast<float>(weights[3])};
  }

 private:
  std::vector<std::size_t> place_;  // by row
  std::size_t facts_ = 0;
  std::size_t false_answers_ = 0;
  std::array<std::vector<float>, 4> columns_;  // 1, score, head_count, tail_count
};

}  // namespace

model::BaseMarginsBySide fit_base_margin(const Samples& samples, const BaseInputs& inputs,
                                         const Context& context) {
  SideAnswers heads(samples, Side::kHead);
  SideAnswers tails(samples, Side::kTail);
  for_each_answer(samples, inputs, OwnFact::kNotCounted, context,
                  [&](std::size_t row, Side side, const BaseVariables& variables) {
                    (side == Side::kHead ? heads : tails).set(row, variables);
                  });
  return {heads.fit(), tails.fit()};
}

std::vector<float> base_margins(const Samples& samples, const BaseInputs& inputs,
                                const model::BaseMarginsBySide& base, OwnFact own, const Context& context) {
  std::vector<float> margins(samples.size());
  for_each_answer(
      samples, inputs, own, context, [&](std::size_t row, Side side, const BaseVariables& variables) {
        const model::BaseMargin& b = base.of(side);
        const float margin = b.constant + b.score * variables.score + b.head_count * variables.head_count +
                             b.tail_count * variables.tail_count;
        margins[row] += samples.labels[row] != 0 ? margin / 2 : margin;
      });
  return margins;
}

}  // namespace greenkgc::decide
