#pragma once

#include <cstdint>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/embed.h"
#include "kge/embeddings.h"
#include "kge/train/batch.h"
#include "kge/train/gradients.h"

namespace greenkgc::kge {

// Adagrad on the rows that a batch touched: the gradients of one row are summed first, penalties added, then
// one step is made. State is one number per weight, or one per row. The same result for any number of
// threads.
class Adagrad {
 public:
  Adagrad(const kge::Embeddings& embeddings, const EmbedOptions& options);

  // Consumes the gradients (they are used as scratch).
  void step(kge::Embeddings& embeddings, const Batch& batch, Gradients& gradients, float rate,
            const Context& context);

  // For checkpoints.
  struct State {
    std::vector<float> entities;
    std::vector<float> relations;
  };
  State& state() { return state_; }

 private:
  // Where a gradient of one row of a table is.
  struct Part {
    std::uint32_t row;
    float weight;  // of the query whose fact the row is part of; 0 for a negative, which has no penalty
    float* gradient;
  };
  struct Table {
    float* weights;
    float* state;
    std::size_t width;
    std::size_t variables;  // per dimension: the modulus of a penalty is taken over them
    bool penalised;
  };
  void update(Table table, std::vector<Part>& parts, float rate, const Context& context) const;
  void update_row(Table table, const Part* begin, const Part* end, float rate) const;
  void add_penalties(Table table, const float* weights, float times, float* gradient) const;

  EmbedOptions options_;
  bool by_row_;
  State state_;
  std::vector<Part> parts_;
};

}  // namespace greenkgc::kge
