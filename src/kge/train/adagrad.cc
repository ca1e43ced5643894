#include "kge/train/adagrad.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "simd/vector/rows.h"

namespace greenkgc::kge {
namespace {

constexpr std::size_t kRowsPerTask = 64;

}  // namespace

Adagrad::Adagrad(const kge::Embeddings& embeddings, const EmbedOptions& options)
    : options_(options), by_row_(options.optimiser == "adagrad-row") {
  state_.entities.resize(by_row_ ? embeddings.entity_count : embeddings.entities.size());
  state_.relations.resize(by_row_ ? embeddings.relation_rows() : embeddings.relations.size());
}

void Adagrad::step(kge::Embeddings& embeddings, const Batch& batch, Gradients& gradients, float rate,
                   const Context& context) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t relation_width = embeddings.relation_width();
  parts_.clear();
  for (std::size_t i = 0; i < batch.queries.size(); ++i) {
    const Query& query = batch.queries[i];
    parts_.push_back({index(query.known), query.weight, gradients.known.data() + i * width});
    parts_.push_back({index(query.answer), query.weight, gradients.answer.data() + i * width});
  }
  for (std::size_t j = 0; j < batch.negatives.size(); ++j) {
    parts_.push_back({index(batch.negatives[j]), 0, gradients.negative.data() + j * width});
  }
  update(
      {embeddings.entities.data(), state_.entities.data(), width, embeddings.kge->entity_variables(), true},
      parts_, rate, context);

  parts_.clear();
  for (std::size_t i = 0; i < batch.queries.size(); ++i) {
    const Query& query = batch.queries[i];
    const auto how = embeddings.asking(query.relation, query.side);
    parts_.push_back({static_cast<std::uint32_t>(how.relation_row), query.weight,
                      gradients.relation.data() + i * relation_width});
  }
  // A phase is no magnitude: nothing to shrink.
  const bool phases = embeddings.kge->relation_range() != 0;
  update({embeddings.relations.data(), state_.relations.data(), relation_width,
          embeddings.kge->relation_variables(), !phases},
         parts_, rate, context);
}

void Adagrad::update(Table table, std::vector<Part>& parts, float rate, const Context& context) const {
  // Stable: the sum of a row's gradients must not depend on where they happen to lie in memory.
  std::stable_sort(parts.begin(), parts.end(), [](const Part& x, const Part& y) { return x.row < y.row; });
  std::vector<const Part*> starts;
  for (const Part& part : parts) {
    if (starts.empty() || starts.back()->row != part.row) starts.push_back(&part);
  }
  const std::size_t rows = starts.size();
  starts.push_back(parts.data() + parts.size());
  parallel_for(context, rows, kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) update_row(table, starts[i], starts[i + 1], rate);
  });
}

void Adagrad::update_row(Table table, const Part* begin, const Part* end, float rate) const {
  const std::span<float> gradient(begin->gradient, table.width);
  float facts = begin->weight;
  for (const Part* part = begin + 1; part != end; ++part) {
    simd::add_scaled(gradient, 1.0F, {part->gradient, table.width});
    facts += part->weight;
  }
  float* weights = table.weights + begin->row * table.width;
  if (table.penalised && facts > 0 && (options_.n3 > 0 || options_.l2 > 0)) {
    add_penalties(table, weights, facts, gradient.data());
  }
  if (by_row_) {
    float& state = table.state[begin->row];
    state += simd::dot(gradient, gradient) / static_cast<float>(table.width);
    simd::add_scaled({weights, table.width}, -rate / (std::sqrt(state) + 1e-10F), gradient);
  } else {
    simd::adagrad_step({weights, table.width}, {table.state + begin->row * table.width, table.width},
                       gradient, rate);
  }
}

// n3 / 3 * sum |x|^3 and l2 / 2 * sum |x|^2 over the dimensions' moduli, as often as the row is part of a
// fact, each time by the query's weight.
void Adagrad::add_penalties(Table table, const float* weights, float times, float* gradient) const {
  const auto n3 = static_cast<float>(options_.n3) * times;
  const auto l2 = static_cast<float>(options_.l2) * times;
  const std::size_t dims = table.width / table.variables;
  for (std::size_t i = 0; i < dims; ++i) {
    float squared = 0;
    for (std::size_t v = 0; v < table.variables; ++v)
      squared += weights[v * dims + i] * weights[v * dims + i];
    const float factor = n3 * std::sqrt(squared) + l2;
    for (std::size_t v = 0; v < table.variables; ++v)
      gradient[v * dims + i] += factor * weights[v * dims + i];
  }
}

}  // namespace greenkgc::kge
