#include "embed/gradients.h"

#include <algorithm>
#include <cmath>

#include "kernels/gemm.h"
#include "kernels/loss_rows.h"
#include "kernels/parallel.h"
#include "kernels/rows.h"

namespace greenkgc::embed {
namespace {

using model::Similarity;

// Queries or negatives per task: a batch of 1,024 gives each of several cores a few, and a product of 128
// rows still runs at nine tenths of the speed of a large one.
constexpr std::size_t kBlock = 128;

bool is_euclidean(Similarity similarity) {
  return similarity == Similarity::kEuclidean || similarity == Similarity::kSquaredEuclidean;
}

float positive_score(Similarity similarity, std::span<const float> q, std::span<const float> c) {
  switch (similarity) {
    case Similarity::kDot:
      return dot(q, c);
    case Similarity::kEuclidean:
      return -std::sqrt(squared_distance(q, c) + 1e-9F);
    case Similarity::kSquaredEuclidean:
      return -squared_distance(q, c);
    case Similarity::kManhattan:
      return -manhattan_distance(q, c);
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

void GradientMaker::compute(const model::Embeddings& embeddings, const Batch& batch, const Context& context,
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

void GradientMaker::gather_negatives(const model::Embeddings& embeddings, const Batch& batch,
                                     const Context& context) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t count = batch.negatives.size();
  negative_norms_.resize(count);
  if (!batch.all_entities) gathered_.resize(count * width);
  negatives_ = batch.all_entities ? embeddings.entities.data() : gathered_.data();
  const bool norms = is_euclidean(embeddings.similarity);
  if (batch.all_entities && !norms) return;
  parallel_for(context, count, kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const std::span<const float> from = embeddings.entity(batch.negatives[j]);
      if (!batch.all_entities)
        std::copy(from.begin(), from.end(), gathered_.begin() + static_cast<std::ptrdiff_t>(j * width));
      if (norms) negative_norms_[j] = dot(from, from);
    }
  });
}

void GradientMaker::process_queries(const model::Embeddings& embeddings, const Batch& batch,
                                    std::size_t begin, std::size_t end, Gradients& out) {
  const Similarity similarity = embeddings.similarity;
  const std::size_t width = embeddings.entity_width();
  const std::size_t negatives = batch.negatives.size();
  const std::size_t rows = end - begin;
  for (std::size_t i = begin; i < end; ++i) {
    const Query& query = batch.queries[i];
    embeddings.query(query.known, query.relation, query.side, row(queries_, i, width));
  }

  std::vector<float> scores(rows * negatives);
  if (similarity == Similarity::kManhattan) {
    for (std::size_t i = 0; i < rows; ++i) {
      const auto scores_row = row(scores, i, negatives);
      manhattan_distances(row(queries_, begin + i, width), {negatives_, negatives, width}, scores_row);
      for (float& score : scores_row) score = -score;
    }
  } else {
    gemm({queries_.data() + begin * width, rows, width, width}, {negatives_, negatives, width, width},
         {scores.data(), rows, negatives, negatives}, {.transpose_b = Transpose::kYes});
  }

  const float shift = std::log(static_cast<float>(embeddings.entity_count) / static_cast<float>(negatives));
  const SelfAdversarial self_adversarial{static_cast<float>(options_.margin),
                                         static_cast<float>(options_.temperature)};
  std::vector<std::uint32_t> masked;
  std::vector<float> row_pull(rows);  // sum over the negatives
  std::vector<float> positive_pull(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const Query& query = batch.queries[begin + i];
    const std::span<float> scores_row = row(scores, i, negatives);
    const std::span<float> pull_row = row(pull_, begin + i, negatives);
    const std::span<const float> q = row(queries_, begin + i, width);
    if (similarity == Similarity::kEuclidean) negative_distances(scores_row, dot(q, q), negative_norms_);
    if (similarity == Similarity::kSquaredEuclidean)
      negative_squared_distances(scores_row, dot(q, q), negative_norms_);
    batches_.masked_places(batch, query, masked);
    for (const std::uint32_t place : masked) scores_row[place] = kMaskedScore;

    const float positive = positive_score(similarity, q, embeddings.entity(query.answer));
    const RowLoss loss =
        options_.loss == "softmax"
            ? softmax_row(scores_row, positive, query.weight, shift, pull_row)
            : self_adversarial_row(scores_row, positive, query.weight, self_adversarial, pull_row);
    block_loss_[begin / kBlock] += loss.loss;
    positive_pull[i] = pull_of(similarity, loss.positive_derivative, positive);
    if (similarity == Similarity::kEuclidean) divide_by_distances(pull_row, scores_row);
    if (similarity == Similarity::kSquaredEuclidean) {
      for (float& pull : pull_row) pull *= 2;
    }
    if (is_euclidean(similarity)) row_pull[i] = sum(pull_row);
  }

  std::vector<float> query_gradient(rows * width);
  if (similarity == Similarity::kManhattan) {
    for (std::size_t i = 0; i < rows; ++i) {
      add_manhattan_gradient(row(queries_, begin + i, width), {negatives_, negatives, width},
                             row(pull_, begin + i, negatives), row(query_gradient, i, width));
    }
  } else {
    gemm({pull_.data() + begin * negatives, rows, negatives, negatives},
         {negatives_, negatives, width, width}, {query_gradient.data(), rows, width, width});
  }

  for (std::size_t i = 0; i < rows; ++i) {
    const Query& query = batch.queries[begin + i];
    const std::span<const float> q = row(queries_, begin + i, width);
    const std::span<const float> c = embeddings.entity(query.answer);
    const std::span<float> dq = row(query_gradient, i, width);
    const std::span<float> dc = row(out.answer, begin + i, width);
    const float pull = positive_pull[i];
    if (similarity == Similarity::kDot) {
      for (std::size_t k = 0; k < width; ++k) {
        dq[k] += pull * c[k];
        dc[k] = pull * q[k];
      }
    } else if (similarity == Similarity::kManhattan) {
      for (std::size_t k = 0; k < width; ++k) {
        const float signed_pull =
            std::copysign(pull, c[k] - q[k]) * -1;  // the pull of a positive is negative
        dq[k] += signed_pull;
        dc[k] = -signed_pull;
      }
    } else {
      for (std::size_t k = 0; k < width; ++k) {
        const float difference = pull * (c[k] - q[k]);
        dq[k] += difference - row_pull[i] * q[k];
        dc[k] = -difference;
      }
    }
    const auto how = embeddings.asking(query.relation, query.side);
    embeddings.kge->gradient(how.side, embeddings.entity(query.known),
                             embeddings.relation_row(how.relation_row), dq, row(out.known, begin + i, width),
                             row(out.relation, begin + i, embeddings.relation_width()));
  }
}

void GradientMaker::process_negatives(const model::Embeddings& embeddings, const Batch& batch,
                                      std::size_t begin, std::size_t end, Gradients& out) {
  const std::size_t width = embeddings.entity_width();
  const std::size_t negatives = batch.negatives.size();
  const std::size_t queries = batch.queries.size();
  const std::size_t rows = end - begin;
  if (embeddings.similarity == Similarity::kManhattan) {
    std::vector<float> column(queries);
    for (std::size_t j = begin; j < end; ++j) {
      for (std::size_t i = 0; i < queries; ++i) column[i] = pull_[i * negatives + j];
      const std::span<float> gradient = row(out.negative, j, width);
      std::fill(gradient.begin(), gradient.end(), 0.0F);
      add_manhattan_gradient({negatives_ + j * width, width}, {queries_.data(), queries, width}, column,
                             gradient);
    }
    return;
  }
  gemm({pull_.data() + begin, queries, rows, negatives}, {queries_.data(), queries, width, width},
       {out.negative.data() + begin * width, rows, width, width}, {.transpose_a = Transpose::kYes});
  if (!is_euclidean(embeddings.similarity)) return;
  std::vector<float> column_pull(rows);
  for (std::size_t i = 0; i < queries; ++i) {
    add_scaled(column_pull, 1.0F, {pull_.data() + i * negatives + begin, rows});
  }
  for (std::size_t j = 0; j < rows; ++j) {
    add_scaled(row(out.negative, begin + j, width), -column_pull[j],
               {negatives_ + (begin + j) * width, width});
  }
}

}  // namespace greenkgc::embed
