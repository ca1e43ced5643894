#include "decide/base_margin.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/logistic_fit.h"
#include "kernels/parallel.h"
#include "model/similarity.h"

namespace greenkgc::decide {
namespace {

constexpr std::size_t kFactsPerPiece = 256;

// Of one sample.
struct BaseVariables {
  float score;
  float head_count;  // log(1 + n)
  float tail_count;
};

// Calls use(row, variables) for every sample, in several threads.
template <class Use>
void for_each_sample(const Samples& samples, const BaseInputs& inputs, OwnFact own, const Context& context,
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
      const auto visit = [&](std::size_t row, EntityId answer) {
        const Triple triple = samples.triple(row);
        use(row, BaseVariables{model::similarity_of(embeddings.similarity, query, embeddings.entity(answer)),
                               log_count(inputs.counts.all_heads(), triple.head, fact.head),
                               log_count(inputs.counts.all_tails(), triple.tail, fact.tail)});
      };
      const std::size_t heads = block.first + 1 + block.false_tails;
      embeddings.query(fact.head, fact.relation, model::Side::kTail, std::span<float>(query));
      for (std::size_t row = block.first; row < heads; ++row) visit(row, samples.triple(row).tail);
      embeddings.query(fact.tail, fact.relation, model::Side::kHead, std::span<float>(query));
      for (std::size_t row = heads; row < heads + block.false_heads; ++row)
        visit(row, samples.triple(row).head);
    }
  });
}

}  // namespace

model::BaseMargin fit_base_margin(const Samples& samples, const BaseInputs& inputs, const Context& context) {
  if (samples.size() == 0) return {};
  // Positives stand first: facts keep their order, and so do false answers.
  const auto facts = static_cast<std::size_t>(std::count(samples.labels.begin(), samples.labels.end(), 1));
  std::vector<std::size_t> place(samples.size());
  std::size_t next_fact = 0;
  std::size_t next_false = facts;
  for (std::size_t row = 0; row < samples.size(); ++row)
    place[row] = samples.labels[row] != 0 ? next_fact++ : next_false++;

  std::array<std::vector<float>, 4> columns;
  for (auto& column : columns) column.assign(samples.size(), 1);
  for_each_sample(samples, inputs, OwnFact::kNotCounted, context,
                  [&](std::size_t row, const BaseVariables& variables) {
                    columns[1][place[row]] = variables.score;
                    columns[2][place[row]] = variables.head_count;
                    columns[3][place[row]] = variables.tail_count;
                  });
  LabelledColumns labelled{{}, columns.size(), facts, samples.size() - facts};
  for (std::size_t v = 0; v < columns.size(); ++v) labelled.columns[v] = columns[v].data();
  const VariableWeights weights = fit_logistic(labelled).weights;
  return {static_cast<float>(weights[0]), static_cast<float>(weights[1]), static_cast<float>(weights[2]),
          static_cast<float>(weights[3])};
}

std::vector<float> base_margins(const Samples& samples, const BaseInputs& inputs,
                                const model::BaseMargin& base, OwnFact own, const Context& context) {
  std::vector<float> margins(samples.size());
  for_each_sample(samples, inputs, own, context, [&](std::size_t row, const BaseVariables& variables) {
    margins[row] = base.constant + base.score * variables.score + base.head_count * variables.head_count +
                   base.tail_count * variables.tail_count;
  });
  return margins;
}

}  // namespace greenkgc::decide
