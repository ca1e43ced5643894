#include "train/decide/base_margin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kge/similarity.h"
#include "math/logistic_fit.h"

namespace greenkgc::decide {
namespace {

using graph::Side;

constexpr std::size_t kFactsPerPiece = 256;

// Of one sample.
struct BaseVariables {
  float score = 0;
  float head_count = 0;  // log(1 + n)
  float tail_count = 0;
};

// Calls use(row, side, variables) for every sample and side that it stands on (a fact on both), in several
// threads, all of a fact's samples in one.
template <class Use>
void for_each_answer(const trees::Samples& samples, const BaseInputs& inputs, OwnFact own,
                     const Context& context, const Use& use) {
  const kge::Embeddings& embeddings = inputs.embeddings;
  const std::uint32_t counted = own == OwnFact::kCounted ? 1 : 0;
  parallel_for(context, samples.facts.size(), kFactsPerPiece, [&](std::size_t begin, std::size_t end) {
    std::vector<float> query(embeddings.entity_width());
    for (std::size_t f = begin; f < end; ++f) {
      const trees::FactSamples& block = samples.facts[f];
      const Triple fact = samples.triple(block.first);
      const auto log_count = [&](const graph::RelationRanges::Lists& lists, EntityId entity,
                                 EntityId own_end) {
        std::uint32_t count = lists.count(fact.relation, entity);
        if (entity == own_end) count -= std::min(count, counted);
        return std::log1p(static_cast<float>(count));
      };
      const auto visit = [&](std::size_t row, graph::Side side) {
        const Triple triple = samples.triple(row);
        const EntityId answer = side == graph::Side::kTail ? triple.tail : triple.head;
        use(row, side,
            BaseVariables{kge::similarity_of(embeddings.similarity, query, embeddings.entity(answer)),
                          log_count(inputs.counts.all_heads(), triple.head, fact.head),
                          log_count(inputs.counts.all_tails(), triple.tail, fact.tail)});
      };
      const std::size_t tails = block.first + 1;
      const std::size_t heads = tails + block.false_tails;
      embeddings.query(fact.head, fact.relation, graph::Side::kTail, std::span<float>(query));
      for (std::size_t row = block.first; row < heads; ++row) visit(row, graph::Side::kTail);
      embeddings.query(fact.tail, fact.relation, graph::Side::kHead, std::span<float>(query));
      visit(block.first, graph::Side::kHead);
      for (std::size_t row = heads; row < heads + block.false_heads; ++row) visit(row, graph::Side::kHead);
    }
  });
}

// Of the samples of a group, by the side that is asked for, then by row. Those of rows that answer no
// question for the side stay 0.
using GroupVariables = std::array<std::vector<BaseVariables>, 2>;

// The samples of some facts as columns of a logistic regression for one side: facts first, then false
// answers.
class SideColumns {
 public:
  SideColumns(const trees::Samples& samples, std::span<const BaseVariables> variables,
              std::span<const std::uint64_t> facts, graph::Side side) {
    for (const std::uint64_t f : facts) add(variables[samples.facts[f].first]);
    facts_ = columns_[0].size();
    for (const std::uint64_t f : facts) {
      const trees::FactSamples& block = samples.facts[f];
      const std::size_t tails = block.first + 1;
      const std::size_t heads = tails + block.false_tails;
      const std::size_t begin = side == graph::Side::kTail ? tails : heads;
      const std::size_t end = side == graph::Side::kTail ? heads : heads + block.false_heads;
      for (std::size_t row = begin; row < end; ++row) add(variables[row]);
    }
  }

  math::VariableWeights fit(const math::VariableWeights& prior) const {
    const std::size_t false_answers = columns_[0].size() - facts_;
    if (facts_ == 0 || false_answers == 0) return prior;
    simd::LabelledColumns labelled{{}, columns_.size(), facts_, false_answers};
    for (std::size_t v = 0; v < columns_.size(); ++v) labelled.columns[v] = columns_[v].data();
    return math::fit_logistic(labelled, prior).weights;
  }

 private:
  void add(const BaseVariables& variables) {
    columns_[0].push_back(1);
    columns_[1].push_back(variables.score);
    columns_[2].push_back(variables.head_count);
    columns_[3].push_back(variables.tail_count);
  }

  std::size_t facts_ = 0;
  std::array<std::vector<float>, 4> columns_;  // 1, score, head_count, tail_count
};

model::BaseMargin base_of(const math::VariableWeights& weights) {
  return {static_cast<float>(weights[0]), static_cast<float>(weights[1]), static_cast<float>(weights[2]),
          static_cast<float>(weights[3])};
}

}  // namespace

RelationBases fit_base_margins(const trees::Samples& samples, std::span<const RelationId> relations,
                               const BaseInputs& inputs, const Context& context) {
  GroupVariables variables;
  variables.fill(std::vector<BaseVariables>(samples.size()));
  for_each_answer(samples, inputs, OwnFact::kNotCounted, context,
                  [&](std::size_t row, graph::Side side, const BaseVariables& of_row) {
                    variables[static_cast<std::size_t>(side)][row] = of_row;
                  });
  std::vector<std::uint64_t> all(samples.facts.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<std::uint64_t>> by_relation(inputs.embeddings.relation_count);
  for (const std::uint64_t f : all)
    by_relation[index(samples.triple(samples.facts[f].first).relation)].push_back(f);

  RelationBases bases(inputs.embeddings.relation_count);
  for (const RelationId relation : relations) bases[index(relation)].emplace();
  for (const graph::Side side : {graph::Side::kHead, graph::Side::kTail}) {
    const auto& of_side = variables[static_cast<std::size_t>(side)];
    const math::VariableWeights together = SideColumns(samples, of_side, all, side).fit({});
    parallel_for(context, relations.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t r = index(relations[i]);
        bases[r]->of(side) = base_of(SideColumns(samples, of_side, by_relation[r], side).fit(together));
      }
    });
  }
  return bases;
}

std::vector<float> self_terms(std::span<const Triple> facts, std::uint32_t relation_count) {
  struct Count {
    std::uint64_t facts = 0;
    std::uint64_t loops = 0;
  };
  std::vector<Count> counts(relation_count);
  for (const Triple& fact : facts) {
    Count& count = counts[index(fact.relation)];
    ++count.facts;
    count.loops += fact.head == fact.tail ? 1 : 0;
  }
  std::vector<float> terms;
  for (const Count& count : counts) {
    const double share = (static_cast<double>(count.loops) + 0.5) / (static_cast<double>(count.facts) + 1);
    terms.push_back(static_cast<float>(std::log(share)));
  }
  return terms;
}

std::vector<float> base_margins(const trees::Samples& samples, const BaseInputs& inputs,
                                const RelationBases& bases, OwnFact own, const Context& context) {
  std::vector<float> margins(samples.size());
  for_each_answer(
      samples, inputs, own, context, [&](std::size_t row, graph::Side side, const BaseVariables& variables) {
        const Triple triple = samples.triple(row);
        const model::BaseMargin& b = bases[index(triple.relation)]->of(side);
        const float margin = b.constant + b.score * variables.score + b.head_count * variables.head_count +
                             b.tail_count * variables.tail_count + (triple.head == triple.tail ? b.self : 0);
        margins[row] += samples.labels[row] != 0 ? margin / 2 : margin;
      });
  return margins;
}

}  // namespace greenkgc::decide
