#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "kge/embeddings.h"
#include "kge/train/adagrad.h"

namespace greenkgc::kge {

// How far training is, apart from the tables.
struct Progress {
  std::uint64_t epochs = 0;  // finished
  double best_mrr = -1;      // of the validations so far; -1: none yet
  std::uint64_t best_epoch = 0;
  std::uint64_t stale = 0;  // validations since the best one
};

// What a checkpoint must agree with to be of use: the options, the seed and the data, as text.
using Identity = std::map<std::string, std::string>;

void write_checkpoint(const std::filesystem::path& path, const kge::Embeddings& embeddings,
                      const Adagrad::State& state, const Progress& progress, const Identity& identity);

// Fills tables of the right sizes. Throws kCorrupt for a damaged file, and kUsage if it was made with another
// identity, saying what differs.
Progress read_checkpoint(const std::filesystem::path& path, kge::Embeddings& embeddings,
                         Adagrad::State& state, const Identity& identity);

}  // namespace greenkgc::kge
