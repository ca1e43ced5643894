#pragma once

#include <cstdint>
#include <filesystem>

#include "graph/dataset.h"
#include "greenkgc/evaluate.h"
#include "model/model_file.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::rank {

// Opens a model that was learned from these data. Throws kBadInput if its labels are not those of the data in
// the data's order: what was learned from other data cannot rank these.
model::NamedDecisions open_model_of(const std::filesystem::path& path, const graph::Dataset& data);

// What the model takes, and what ranking so many queries with it will take. Says the memory, and throws
// kUsage if this machine cannot have it.
ModelFigures plan_ranking(const std::filesystem::path& path, const model::NamedDecisions& named,
                          const graph::Dataset& data, std::uint64_t queries, const Context& context);

// Compares the ranker's probabilities with the truth, on at most so many queries that facts of the split
// answer, chosen by the seed.
CalibrationReport check_calibration(const rank::Ranker& ranker, const graph::Dataset& data, Split split,
                                    std::uint64_t max_queries, const Context& context);

}  // namespace greenkgc::rank
