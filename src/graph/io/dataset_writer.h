#pragma once

#include <filesystem>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// What write_dataset of greenkgc/dataset.h promises.
std::vector<std::filesystem::path> write_dataset(const Dataset& dataset, const std::filesystem::path& out,
                                                 const ConvertOptions& options, const Context& context);

}  // namespace greenkgc::graph
