#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/embed.h"
#include "kge/embeddings.h"
#include "kge/train/batch.h"

namespace greenkgc::kge {

// The gradient of a batch's loss by the rows it touches. Row i of `known`, `answer` and `relation` belongs to
// query i, row j of `negative` to negative j; one entity may occur in several places.
struct Gradients {
  std::vector<float> known;
  std::vector<float> answer;
  std::vector<float> relation;
  std::vector<float> negative;
  double loss = 0;  // mean over the batch's queries
};

// Computes gradients by matrix products: the scores of all queries against all negatives, and their gradients
// both ways. Three products of 2 * queries * negatives * width flops; everything else is linear in rows. The
// result is the same for any number of threads: the work is cut into blocks of fixed size.
class GradientMaker {
 public:
  GradientMaker(const BatchMaker& batches, const EmbedOptions& options)
      : batches_(batches), options_(options) {}

  void compute(const kge::Embeddings& embeddings, const Batch& batch, const Context& context, Gradients& out);

 private:
  void gather_negatives(const kge::Embeddings& embeddings, const Batch& batch, const Context& context);
  struct Block;
  void process_queries(const kge::Embeddings& embeddings, const Batch& batch, std::size_t begin,
                       std::size_t end, Gradients& out);
  void score_negatives(const kge::Embeddings& embeddings, const Batch& batch, Block& block);
  void apply_loss(const kge::Embeddings& embeddings, const Batch& batch, Block& block, std::size_t i);
  void pull_queries(const kge::Embeddings& embeddings, const Batch& batch, Block& block);
  void add_positive(const kge::Embeddings& embeddings, const Batch& batch, Block& block, std::size_t i,
                    std::span<float> answer_gradient);
  void process_negatives(const kge::Embeddings& embeddings, const Batch& batch, std::size_t begin,
                         std::size_t end, Gradients& out);

  const BatchMaker& batches_;
  const EmbedOptions& options_;
  // Rows of the current batch. pull_ holds, for query i and negative j, how strongly the two are pulled
  // apart.
  std::vector<float> gathered_;        // negatives, unless they are all entities
  const float* negatives_ = nullptr;   // gathered_ or the table itself
  std::vector<float> negative_norms_;  // squared
  std::vector<float> queries_;
  std::vector<float> pull_;
  std::vector<double> block_loss_;
};

}  // namespace greenkgc::kge
