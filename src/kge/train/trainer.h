#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/embed.h"
#include "kge/embeddings.h"
#include "kge/train/adagrad.h"
#include "kge/train/batch.h"
#include "kge/train/gradients.h"

namespace greenkgc::kge {

// Start values by the options, reproducible by seed.
kge::Embeddings initial_embeddings(const EmbedOptions& options, std::uint32_t entity_count,
                                   std::uint32_t relation_count, std::uint64_t seed);

// Trains an embedding epoch by epoch. The same seed gives the same bits for any number of threads on one
// machine.
class Trainer {
 public:
  Trainer(std::span<const Triple> facts, const graph::KnownFacts& known, const EmbedOptions& options,
          kge::Embeddings start, std::uint64_t seed);

  struct Epoch {
    double loss = 0;  // mean over the queries
    std::uint64_t queries = 0;
  };
  // `done` is called after each step with the number of facts of it.
  Epoch run_epoch(std::uint64_t epoch, const Context& context,
                  const std::function<void(std::uint64_t)>& done);

  kge::Embeddings& embeddings() { return embeddings_; }
  Adagrad::State& state() { return adagrad_.state(); }

 private:
  float rate_at(double epochs_done) const;

  EmbedOptions options_;
  kge::Embeddings embeddings_;
  BatchMaker batches_;
  GradientMaker gradient_maker_;
  Adagrad adagrad_;
  Batch batch_;
  Gradients gradients_;
};

}  // namespace greenkgc::kge
