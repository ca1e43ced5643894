#include "kge/train/gradients.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kge/similarity.h"
#include "math/gemm.h"
#include "simd/vector/loss_rows.h"
#include "simd/vector/rows.h"

namespace greenkgc::kge {
namespace {

using kge::Similarity;

// Queries or negatives per task: a batch of 1,024 gives each of several cores a few, and a product of 128
// rows still runs at nine tenths of the speed of a large one.
constexpr std::size_t kBlock = 256;

float positive_score(Similarity similarity, std::span<const float> q, std::span<const float> c) {
  switch (similarity) {
    case Similarity::kDot:
      return simd::dot(q, c);
    case Similarity::kEuclidean:
      return -std::sqrt(simd::squared_distance(q, c) + 1e-9F);
    case Similarity::kSquaredEuclidean:
      return -simd::squared_distance(q, c);
    case Similarity::kManhattan:
    case Similarity::kModuli:
      return -simd::manhattan_distance(kge::row_numbers(similarity), q, c);
  }
  return 0;
}

// d loss / d score -> the factor of (c - q) in d loss / d q (of c alone for dot products, of the sign for
// Manhattan).
float pull_of(Similarity similarity, float derivative, float score) {
  switch (similarity) {
    case Similarity::kEuclidean:
      return derivative / -score;
    case Similarity::kSquaredEuclidean:
      return 2 * derivative;
    default:
      return derivative;
  }
}

std::span<float> row(std::vector<float>& table, std::size_t i, std::size_t width) {
  return {table.data() + i * width, width};
}

}  // namespace

void GradientMaker::compute(const kge::Embeddings& embeddings, const Batch& batch, const Context& context,
                            Gradients& out) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t queries = batch.queries.size();
  const std::size_t negatives = batch.negatives.size();
  queries_.resize(queries * width);
  pull_.resize(queries * negatives);
  out.known.resize(queries * width);
  out.answer.resize(queries * width);
  out.relation.resize(queries * embeddings.relation_width());
  out.negative.resize(negatives * width);
  block_loss_.assign((queries + kBlock - 1) / kBlock, 0.0);

  gather_negatives(embeddings, batch, context);
  parallel_for(context, queries, kBlock, [&](std::size_t begin, std::size_t end) {
    process_queries(embeddings, batch, begin, end, out);
  });
  parallel_for(context, negatives, kBlock, [&](std::size_t begin, std::size_t end) {
    process_negatives(embeddings, batch, begin, end, out);
  });
  out.loss = 0;
  for (const double loss : block_loss_) out.loss += loss;
  out.loss /= static_cast<double>(queries);
}

void GradientMaker::gather_negatives(const kge::Embeddings& embeddings, const Batch& batch,
                                     const Context& context) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t count = batch.negatives.size();
  negative_norms_.resize(count);
  if (!batch.all_entities) gathered_.resize(count * width);
  negatives_ = batch.all_entities ? embeddings.entities.data() : gathered_.data();
  const bool norms = kge::is_euclidean(embeddings.similarity);
  if (batch.all_entities && !norms) return;
  parallel_for(context, count, kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const std::span<const float> from = embeddings.entity(batch.negatives[j]);
      if (!batch.all_entities)
        std::copy(from.begin(), from.end(), gathered_.begin() + static_cast<std::ptrdiff_t>(j * width));
      if (norms) negative_norms_[j] = simd::dot(from, from);
    }
  });
}

// One block of queries on its way from rows to gradients.
struct GradientMaker::Block {
  std::size_t begin;
  std::size_t rows;
  std::vector<float> scores;          // by query and negative
  std::vector<float> query_gradient;  // d loss / d q
  std::vector<float> row_pull;        // of a query, summed over the negatives; for Euclidean distances
  std::vector<float> positive_pull;   // between a query and its answer; not positive
};

void GradientMaker::process_queries(const kge::Embeddings& embeddings, const Batch& batch, std::size_t begin,
                                    std::size_t end, Gradients& out) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t rows = end - begin;
  Block block{begin,
              rows,
              std::vector<float>(rows * batch.negatives.size()),
              std::vector<float>(rows * width),
              std::vector<float>(rows),
              std::vector<float>(rows)};
  for (std::size_t i = begin; i < end; ++i) {
    const Query& query = batch.queries[i];
    embeddings.query(query.known, query.relation, query.side, row(queries_, i, width));
  }
  score_negatives(embeddings, batch, block);
  for (std::size_t i = 0; i < rows; ++i) apply_loss(embeddings, batch, block, i);
  pull_queries(embeddings, batch, block);
  for (std::size_t i = 0; i < rows; ++i) {
    add_positive(embeddings, batch, block, i, row(out.answer, begin + i, width));
    const Query& query = batch.queries[begin + i];
    embeddings.query_gradient(query.known, query.relation, query.side, row(block.query_gradient, i, width),
                              row(out.known, begin + i, width),
                              row(out.relation, begin + i, embeddings.relation_width()));
  }
}

void GradientMaker::score_negatives(const kge::Embeddings& embeddings, const Batch& batch, Block& block) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t negatives = batch.negatives.size();
  if (kge::is_manhattan(embeddings.similarity)) {
    simd::negative_manhattan_distances(kge::row_numbers(embeddings.similarity),
                                       {queries_.data() + block.begin * width, block.rows, width},
                                       {negatives_, negatives, width}, width, block.scores.data(), negatives);
  } else {
    math::gemm({queries_.data() + block.begin * width, block.rows, width, width},
               {negatives_, negatives, width, width}, {block.scores.data(), block.rows, negatives, negatives},
               {.transpose_b = math::Transpose::kYes});
  }
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::span<const float> q = row(queries_, block.begin + i, width);
    const std::span<float> scores = row(block.scores, i, negatives);
    switch (embeddings.similarity) {
      case Similarity::kDot:
      case Similarity::kManhattan:
      case Similarity::kModuli:
        break;
      case Similarity::kEuclidean:
        simd::negative_distances(scores, simd::dot(q, q), negative_norms_);
        break;
      case Similarity::kSquaredEuclidean:
        simd::negative_squared_distances(scores, simd::dot(q, q), negative_norms_);
        break;
    }
  }
}

// From the scores of query i to how strongly it is pulled by each negative and by its answer.
void GradientMaker::apply_loss(const kge::Embeddings& embeddings, const Batch& batch, Block& block,
                               std::size_t i) {
  const Similarity similarity = embeddings.similarity;
  const std::size_t negatives = batch.negatives.size();
  const Query& query = batch.queries[block.begin + i];
  const std::span<float> scores = row(block.scores, i, negatives);
  const std::span<float> pull = row(pull_, block.begin + i, negatives);
  thread_local std::vector<std::uint32_t> masked;
  batches_.masked_places(batch, query, masked);
  for (const std::uint32_t place : masked) scores[place] = simd::kMaskedScore;

  const float positive = positive_score(similarity, row(queries_, block.begin + i, embeddings.entity_width()),
                                        embeddings.entity(query.answer));
  const float shift = std::log(static_cast<float>(embeddings.entity_count) / static_cast<float>(negatives));
  const simd::SelfAdversarial self_adversarial{static_cast<float>(options_.margin),
                                               static_cast<float>(options_.temperature)};
  const simd::RowLoss loss =
      options_.loss == "softmax"
          ? simd::softmax_row(scores, positive, query.weight, shift, pull)
          : simd::self_adversarial_row(scores, positive, query.weight, self_adversarial, pull);
  block_loss_[block.begin / kBlock] += loss.loss;
  block.positive_pull[i] = pull_of(similarity, loss.positive_derivative, positive);
  if (similarity == Similarity::kEuclidean) simd::divide_by_distances(pull, scores);
  if (similarity == Similarity::kSquaredEuclidean) simd::add_scaled(pull, 1.0F, pull);
  if (kge::is_euclidean(similarity)) block.row_pull[i] = simd::sum(pull);
}

// What the negatives add to d loss / d q; of (c - q) the c.
void GradientMaker::pull_queries(const kge::Embeddings& embeddings, const Batch& batch, Block& block) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t negatives = batch.negatives.size();
  if (kge::is_manhattan(embeddings.similarity)) {
    simd::add_manhattan_gradients(
        kge::row_numbers(embeddings.similarity), {queries_.data() + block.begin * width, block.rows, width},
        {negatives_, negatives, width}, width, {pull_.data() + block.begin * negatives, negatives, 1},
        block.query_gradient.data());
    return;
  }
  math::gemm({pull_.data() + block.begin * negatives, block.rows, negatives, negatives},
             {negatives_, negatives, width, width}, {block.query_gradient.data(), block.rows, width, width});
}

// The rest of d loss / d q, by the answer, by q itself and by the duality penalty; and d loss / d answer.
void GradientMaker::add_positive(const kge::Embeddings& embeddings, const Batch& batch, Block& block,
                                 std::size_t i, std::span<float> answer_gradient) {
  const std::size_t width = embeddings.entity_width();
  const std::span<const float> q = row(queries_, block.begin + i, width);
  const std::span<const float> c = embeddings.entity(batch.queries[block.begin + i].answer);
  const std::span<float> query_gradient = row(block.query_gradient, i, width);
  const float pull = block.positive_pull[i];
  switch (embeddings.similarity) {
    case Similarity::kDot:
      simd::add_scaled(query_gradient, pull, c);
      simd::set_combination(answer_gradient, pull, q, 0.0F, c);
      break;
    case Similarity::kEuclidean:
    case Similarity::kSquaredEuclidean:
      simd::add_combination(query_gradient, pull, c, -pull - block.row_pull[i], q);
      simd::set_combination(answer_gradient, pull, q, -pull, c);
      break;
    case Similarity::kManhattan:
    case Similarity::kModuli: {
      const float weight = -pull;
      std::fill(answer_gradient.begin(), answer_gradient.end(), 0.0F);
      simd::add_manhattan_gradients(kge::row_numbers(embeddings.similarity), {q.data(), 1, width},
                                    {c.data(), 1, width}, width, {&weight, 1, 1}, answer_gradient.data());
      simd::add_scaled(query_gradient, -1.0F, answer_gradient);
      break;
    }
  }
  if (options_.dura > 0) {
    const float weight = static_cast<float>(options_.dura) * batch.queries[block.begin + i].weight;
    simd::add_scaled(query_gradient, 2 * weight, q);
    simd::add_scaled(answer_gradient, 2 * weight, c);
    block_loss_[block.begin / kBlock] += weight * (simd::dot(q, q) + simd::dot(c, c));
  }
}

void GradientMaker::process_negatives(const kge::Embeddings& embeddings, const Batch& batch,
                                      std::size_t begin, std::size_t end, Gradients& out) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t negatives = batch.negatives.size();
  const std::size_t queries = batch.queries.size();
  const std::size_t rows = end - begin;
  if (kge::is_manhattan(embeddings.similarity)) {
    const std::span<float> gradients(out.negative.data() + begin * width, rows * width);
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    simd::add_manhattan_gradients(
        kge::row_numbers(embeddings.similarity), {negatives_ + begin * width, rows, width},
        {queries_.data(), queries, width}, width, {pull_.data() + begin, 1, negatives}, gradients.data());
    return;
  }
  math::gemm({pull_.data() + begin, queries, rows, negatives}, {queries_.data(), queries, width, width},
             {out.negative.data() + begin * width, rows, width, width},
             {.transpose_a = math::Transpose::kYes});
  if (!kge::is_euclidean(embeddings.similarity)) return;
  std::vector<float> column_pull(rows);
  for (std::size_t i = 0; i < queries; ++i) {
    simd::add_scaled(column_pull, 1.0F, {pull_.data() + i * negatives + begin, rows});
  }
  for (std::size_t j = 0; j < rows; ++j) {
    simd::add_scaled(row(out.negative, begin + j, width), -column_pull[j],
                     {negatives_ + (begin + j) * width, width});
  }
}

}  // namespace greenkgc::kge
